import { execFileSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { eventually } from '../../test/support/eventually.js';
import { DiskStore } from './disk-store.js';
import { newKey } from './file-store.js';
import { FileBytes, OpenFile } from './open-file.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-open-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** How many files below the directory this process has open. */
const openFiles = (): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd)).startsWith(directory);
    } catch {
      return false;
    }
  }).length;

const noneIsOpen = () => eventually(async () => expect(openFiles()).toBe(0));

describe.runIf(existsSync('/proc/self/fd'))('a file is closed', () => {
  it('where the signal came before its bytes were asked for', async () => {
    const path = join(directory, 'whole');
    writeFileSync(path, 'a');
    const file = await OpenFile.open(path, 'r');
    expect(openFiles()).toBe(1);
    const bytes = new FileBytes(file, undefined, AbortSignal.abort());
    await expect(bytes.toArray()).rejects.toMatchObject({ name: 'AbortError' });
    await noneIsOpen();
  });

  it('where the signal comes while it is opened, which whoever reads it does not wait for', async () => {
    const store = await DiskStore.open(join(directory, 'files'), () => true);
    const key = newKey();
    await store.write(key, [Buffer.from('a')]);
    const path = join(directory, 'files', key.slice(0, 2), key);
    rmSync(path);
    // Whoever opens it waits for somebody who writes to it.
    execFileSync('mkfifo', [path]);
    const leaving = new AbortController();
    const reading = store.read(key, undefined, leaving.signal);
    leaving.abort();
    await expect(reading).rejects.toMatchObject({ cause: { name: 'AbortError' } });
    const writer = openSync(path, 'w');
    await eventually(async () => expect(openFiles()).toBe(1));
    closeSync(writer);
    await noneIsOpen();
  });
});
