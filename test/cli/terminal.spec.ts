/** What a person sees on a terminal: no password, and a bar that goes away. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { command } from '../support/command.js';
import { hasTerminals, Terminal } from '../support/terminal.js';

let app: TestApp;
let env: Record<string, string>;
const directory = mkdtempSync(join(tmpdir(), 'worktrack-terminal-'));

beforeAll(async () => {
  app = await TestApp.start();
  const { connectionString } = (app.database as unknown as { options: { connectionString: string } }).options;
  env = { DATABASE_URL: connectionString };
});
afterAll(async () => {
  await app.stop();
  rmSync(directory, { recursive: true });
});

const status = async (login: string, password: string): Promise<number> => {
  const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
  return (await fetch(`${app.base}/api/v1/Users/LoggedUser`, { headers: { authorization } })).status;
};

describe.skipIf(!hasTerminals)('a password', { timeout: 120_000 }, () => {
  const again = 'once more: ';
  const asking = async (): Promise<Terminal> => {
    const terminal = new Terminal(env, ['user', 'passwd', 'chloe']);
    await terminal.shows('chloe: ');
    return terminal;
  };

  it('is taken as typed and corrected, and shown nowhere', async () => {
    const terminal = await asking();
    terminal.type('hidden worxx\u007f\u007fd 1\r');
    await terminal.shows(again);
    terminal.type('hidden word 1\r');
    expect(await terminal.ended).toEqual({ code: 0, isRestored: true });
    expect(terminal.shown).not.toMatch(/hid|word 1|worx|\*/);
    expect(await status('chloe', 'hidden word 1')).toBe(200);
  });

  it('is taken twice where both come at once, and not shown in between', async () => {
    const terminal = await asking();
    terminal.type('pasted words 2\rpasted words 2\r');
    expect(await terminal.ended).toEqual({ code: 0, isRestored: true });
    expect(terminal.shown).not.toContain('past');
    expect(await status('chloe', 'pasted words 2')).toBe(200);
  });

  it.each([
    ['another one', 'another word 3\r'],
    ['the one from before, fetched by the cursor key', '\u001b[A\r'],
  ])('is refused where the second is %s', async (_, keys) => {
    const terminal = await asking();
    terminal.type('hidden word 3\r');
    await terminal.shows(again);
    terminal.type(keys);
    expect(await terminal.ended).toEqual({ code: 1, isRestored: true });
    expect(terminal.shown).toContain('worktrack: The two passwords differ.');
    expect(terminal.shown).not.toMatch(/hidden|another/);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-C behind some letters', 'hidden\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('is not taken after %s, and the terminal is as before', async (_, keys) => {
    const terminal = await asking();
    terminal.type(keys);
    expect(await terminal.ended).toEqual({ code: 1, isRestored: true });
    expect(terminal.shown).toMatch(/chloe: \r\nworktrack: No password was given\.\r\n$/);
  });
});

describe.skipIf(!hasTerminals)('progress', { timeout: 120_000 }, () => {
  it('is a bar that is gone when the result comes', async () => {
    const terminal = new Terminal(env, ['backup', join(directory, 'drawn.tar')]);
    expect(await terminal.ended).toEqual({ code: 0, isRestored: true });
    expect(terminal.shown).toMatch(/\[K\[#*\.*\] +\d+ % {2}\w+/);
    expect(terminal.lines).toContainEqual(expect.stringMatching(/^general: \d+ rows$/));
    expect(terminal.lines.filter((line) => line.includes('%'))).toEqual([]);
    expect(terminal.lines.at(-6)).toMatch(/^file +\S+drawn\.tar$/);
  });

  it('is lines alone where nobody looks', async () => {
    const { code, stderr } = await command(env, ['backup', join(directory, 'lines.tar')]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^(\w+: \d+ rows\n)+$/)]);
  });
});
