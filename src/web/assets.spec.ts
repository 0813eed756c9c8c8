import { mkdir, mkdtemp, rm, rmdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assetsIn } from './assets.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'assets-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('are read again where they could not be read, although nothing else has changed', async () => {
  const assets = assetsIn(pathToFileURL(`${folder}/`));
  const file = join(folder, 'page.css');
  // A folder can be listed and looked at, and not read as a file.
  await mkdir(file);
  await utimes(file, 1, 1);
  await expect(assets()).rejects.toThrow();
  await rmdir(file);
  await writeFile(file, 'a {}');
  await utimes(file, 1, 1);
  expect((await assets()).byName.get('page.css')?.text).toBe('a {}');
});
