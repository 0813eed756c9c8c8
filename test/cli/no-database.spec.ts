/** Commands that do not fill a database make none: a DATA_DIR that is misspelt is said to be empty. */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { command } from '../support/command.js';

const directory = mkdtempSync(join(tmpdir(), 'worktrack-no-database-'));
// The account that PostgreSQL runs under must reach it.
chmodSync(directory, 0o711);
const DATA_DIR = join(directory, 'misspelt');
afterAll(() => rmSync(directory, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

it.each([
  'migrate --check',
  'doctor',
  'doctor --fix',
  'backup archive.tar',
  'upgrade',
  'upgrade --remove-old',
  'user list',
  'user add ursula --email u@example.com',
  'user passwd ursula',
  'user activate ursula',
  'user unlock ursula',
  'token issue ursula CI',
  'token list',
  'token revoke 1',
  'settings get',
  'settings set SessionHours 24',
])('%s', { timeout: 60_000 }, async (line) => {
  expect(await command({ DATA_DIR }, line.split(' '), 'a good secret\n')).toEqual({
    code: 1,
    stdout: '',
    stderr: `worktrack: There is no database in ${DATA_DIR}. Set DATA_DIR or DATABASE_URL, or start the service to make one.\n`,
  });
  expect(existsSync(DATA_DIR)).toBe(false);
});

it('a file in the place of the directory is no database', { timeout: 60_000 }, async () => {
  const file = join(directory, 'file');
  writeFileSync(file, '');
  const { code, stderr } = await command({ DATA_DIR: file }, ['user', 'list']);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^worktrack: There is no database in .*\n$/)]);
});

describe.runIf(process.platform === 'linux')('a name in ISO-8859-1', { timeout: 60_000 }, () => {
  const parent = join(directory, 'latin');
  mkdirSync(parent);
  mkdirSync(Buffer.from(`${parent}/M\u00fcller`, 'latin1'));
  const migrate = `exec "${process.execPath}" "${resolve('dist/cli/main.js')}" migrate`;

  it.each([
    ['of DATA_DIR', `DATA_DIR=$(echo "$PWD"/*) ${migrate}`, 'DATA_DIR is not UTF-8; a text in UTF-8 would work.'],
    [
      'of the working directory',
      `cd * && ${migrate}`,
      'The name of the working directory is not UTF-8: set DATA_DIR to an absolute path that is.',
    ],
  ])('%s is refused, and no other directory is made', (_, script, line) => {
    const env = { PATH: process.env.PATH };
    const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: parent, env, encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, `worktrack: ${line}\n`]);
    expect(readdirSync(parent)).toHaveLength(1);
  });
});

it('migrate makes one, which the others find', { timeout: 120_000 }, async () => {
  const made = { DATA_DIR: join(directory, 'made') };
  expect(await command(made, ['migrate', '--json'])).toMatchObject({ code: 0 });
  expect(await command(made, ['migrate', '--check'])).toMatchObject({ code: 0, stdout: 'The schema is current.\n' });
});

it.each<[string, Record<string, string>, RegExp]>([
  [
    'a certificate that is not there',
    { DATABASE_URL: 'postgres://user:hush@127.0.0.1:1/none?sslrootcert=/nope' },
    /^worktrack: The file that sslrootcert of DATABASE_URL names cannot be read \(ENOENT\): .*\n$/,
  ],
  ['a password in its place', { DATABASE_URL: 'hush' }, /^worktrack: DATABASE_URL is not a PostgreSQL URL .*\n$/],
  [
    'a server that is not there',
    { DATABASE_URL: 'postgres://user:hush@127.0.0.1:1/none' },
    /^worktrack: The database of DATABASE_URL cannot be used: .*\n$/,
  ],
])('a database that cannot be used is one line: %s', { timeout: 60_000 }, async (_, env, line) => {
  const { code, stdout, stderr } = await command(env, ['user', 'list']);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(line);
  expect(stderr).not.toContain('hush');
});
