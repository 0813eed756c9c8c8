/** Users, tokens and settings from the command line, beside a service that follows within a second. */
import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../src/database/migrations/migrations.js';
import { TestApp } from '../support/app.js';
import { command } from '../support/command.js';
import { emptyDatabase } from '../support/empty-database.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
let env: Record<string, string>;

beforeAll(async () => {
  app = await TestApp.start();
  const { connectionString } = (app.database as unknown as { options: { connectionString: string } }).options;
  env = { DATABASE_URL: connectionString };
});
afterAll(() => app.stop());

const run = (args: string[], input?: string) => command(env, args, input);

const status = async (headers: Record<string, string>): Promise<number> =>
  (await fetch(`${app.base}/api/v1/Users/LoggedUser`, { headers })).status;
const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});

describe('user', { timeout: 120_000 }, () => {
  it('add, passwd, deactivate and activate say who may log in', async () => {
    const added = await run(['user', 'add', 'ursula', '--email', 'u@example.com', '--json'], 'first secret\n');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(added.stdout)).toMatchObject({ login: 'ursula', email: 'u@example.com', active: true });
    expect(await status(basic('ursula', 'first secret'))).toBe(200);

    expect(await run(['user', 'passwd', 'ursula'], 'second secret\n')).toMatchObject({ code: 0 });
    await eventually(async () => expect(await status(basic('ursula', 'first secret'))).toBe(401), 20_000);
    expect(await status(basic('ursula', 'second secret'))).toBe(200);

    expect(await run(['user', 'deactivate', 'ursula'])).toMatchObject({ code: 0 });
    await eventually(async () => expect(await status(basic('ursula', 'second secret'))).toBe(401), 20_000);
    expect(await run(['user', 'activate', 'ursula'])).toMatchObject({ code: 0 });
    await eventually(async () => expect(await status(basic('ursula', 'second secret'))).toBe(200), 20_000);
    const { stdout } = await run(['user', 'list', '--json']);
    const listed = JSON.parse(stdout) as { login: string; active: boolean }[];
    expect(listed.find(({ login }) => login === 'ursula')).toMatchObject({ active: true, locked: false });
  });

  it.each([
    ['short', 'worktrack: Password: at least 8 characters are needed.\n'],
    ['password1', 'worktrack: Password: is one of the most common passwords; choose another one.\n'],
    ['', 'worktrack: Password: must not be empty.\n'],
  ])('refuses the password %j as the API does', async (password, stderr) => {
    expect(await run(['user', 'passwd', 'alice'], `${password}\n`)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('refuses a password that is not UTF-8', async () => {
    const input = Buffer.concat([Buffer.from('pass'), Buffer.from([0xe9]), Buffer.from('word 77\n')]);
    const stderr = 'worktrack: Standard input is not UTF-8.\n';
    expect(await command(env, ['user', 'passwd', 'alice'], input)).toEqual({ code: 1, stdout: '', stderr });
  });

  it('unlock ends a lock', async () => {
    for (let attempt = 0; attempt < 10; attempt++) await status(basic('Bruno', `wrong ${attempt}`));
    await eventually(async () => expect(await status(basic('bruno', 'demo'))).toBe(429), 20_000);
    expect((await run(['user', 'unlock', 'bruno'])).stdout).toMatch(/wasLocked +true/);
    await eventually(async () => expect(await status(basic('bruno', 'demo'))).toBe(200), 20_000);
  });
});

describe('a user that does not exist', { timeout: 120_000 }, () => {
  it.each([
    ['user', 'passwd', 'nobodyhere'],
    ['user', 'activate', 'nobodyhere'],
    ['user', 'deactivate', 'nobodyhere'],
    ['user', 'unlock', 'nobodyhere'],
    ['token', 'issue', 'nobodyhere', 'CI'],
    ['token', 'list', '--user', 'nobodyhere'],
  ])('%s %s %s is refused', async (...args) =>
    expect(await run(args, 'a good secret\n')).toEqual({
      code: 1,
      stdout: '',
      stderr: "worktrack: There is no user with the login 'nobodyhere'.\n",
    }));

  it('is unlocked all the same where somebody guesses at it', async () => {
    for (let attempt = 0; attempt < 10; attempt++) await status(basic('phantom', `wrong ${attempt}`));
    await eventually(async () => expect(await status(basic('phantom', 'x'))).toBe(429), 20_000);
    expect((await run(['user', 'unlock', 'phantom'])).stdout).toMatch(/wasLocked +true/);
  });
});

describe('token', { timeout: 120_000 }, () => {
  it('issue tells a token once, list shows it without its secret, revoke ends it', async () => {
    const issued = await run(['token', 'issue', 'chloe', 'CI', '--read-only', '--json']);
    const { id, token } = JSON.parse(issued.stdout) as { id: number; token: string };
    const header = { 'x-access-token': token };
    expect(await status(header)).toBe(200);
    const [row] = await app.rows(
      `select user_id, encode(secret_hash, 'hex') as hash from access_token where id = ${id}`,
    );
    expect(row).toMatchObject({ user_id: 5, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });

    const listed = await run(['token', 'list', '--user', 'chloe', '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ id, user: 'chloe', name: 'CI', readOnly: true }]);
    expect(listed.stdout).not.toContain(token);
    expect(await run(['token', 'revoke', String(id)])).toMatchObject({ code: 0 });
    await eventually(async () => expect(await status(header)).toBe(401), 20_000);
    expect(await run(['token', 'revoke', String(id)])).toMatchObject({ code: 1 });
  });

  it('is not issued to who may not log in', async () => {
    const { code, stderr } = await run(['token', 'issue', 'viktor', 'CI']);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^worktrack: The user \d+ is not active\.\n$/)]);
  });
});

describe('settings', { timeout: 120_000 }, () => {
  it('set changes what get prints, within the rules', async () => {
    expect(await run(['settings', 'set', 'SessionHours', '24'])).toEqual({ code: 0, stdout: '24\n', stderr: '' });
    expect(JSON.parse((await run(['settings', 'get', '--json'])).stdout)).toMatchObject({ SessionHours: 24 });
    const { code, stderr } = await run(['settings', 'set', 'SessionHours', '0']);
    expect([code, stderr]).toEqual([1, 'worktrack: SessionHours: a whole number from 1 to 8760 is needed.\n']);
  });

  it('takes no password as an argument', async () => {
    const { code, stderr } = await run(['settings', 'set', 'SystemPassword', 'on the command line']);
    expect([code, stderr]).toEqual([2, 'worktrack: SystemPassword is asked for, or read from standard input.\n']);
    const prompted = await run(['settings', 'set', 'SystemPassword', '--json'], 'from standard input\n');
    expect(prompted).toMatchObject({ code: 0, stderr: '' });
    expect(prompted.stdout).not.toContain('standard input');
    const [row] = await app.rows(`select password_hash from general_user where kind = 'SystemUser'`);
    expect(row).toMatchObject({ password_hash: expect.stringMatching(/^\$argon2/) });
  });
});

describe('the command line', { timeout: 120_000 }, () => {
  it.each<[string[], number, RegExp]>([
    [[], 0, /Usage: worktrack \[options\] \[command\]/],
    [['--help'], 0, /Exit codes: 0 done/],
    [['--version'], 0, /^\d+\.\d+\.\d+\n$/],
    [['user', 'add', '--help'], 0, /--email <address>/],
    [['completion', 'bash'], 0, /complete -F _worktrack worktrack/],
    [['bogus'], 2, /unknown command 'bogus'/],
    [['user', 'add', 'somebody'], 2, /required option '--email <address>'/],
    [['user', 'passwd'], 2, /missing required argument 'login'/],
    [['token', 'list', '--all'], 2, /unknown option '--all'/],
    [['completion', 'fish'], 2, /'fish' is invalid for argument 'shell'\. Allowed choices are bash\./],
    [['seed', '--generals', 'abc'], 2, /--generals takes a whole number from 1 to 10000000, not 'abc'/],
    [['token', 'revoke', 'abc'], 2, /The id of a token is a whole number, not 'abc'/],
    [['token', 'issue', 'alice', 'CI', '--expires', ''], 2, /^worktrack: The value of --expires is empty\.\n$/],
    [['token', 'list', '--user', ' '], 2, /^worktrack: The value of --user is empty\.\n$/],
    [['query', 'Users', '--host', ''], 2, /^worktrack: The value of --host is empty\.\n$/],
    [['settings', 'set', 'SessionHours'], 2, /The value of SessionHours is missing/],
  ])('%j ends with %i', async (args, code, text) => {
    const outcome = await run(args);
    expect(outcome.code).toBe(code);
    expect(code === 0 ? outcome.stdout : outcome.stderr).toMatch(text);
  });

  it.runIf(existsSync('/dev/full'))('ends with one line where help meets a full disk', () => {
    const full = openSync('/dev/full', 'w');
    const { status, stderr } = spawnSync(process.execPath, ['dist/cli/main.js', '--help'], {
      stdio: ['ignore', full, 'pipe'],
      encoding: 'utf8',
    });
    closeSync(full);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^worktrack: The command failed: ENOSPC.*\.\n$/)]);
  });

  it('ends with one line where something fails that nobody waits for', async () => {
    const failing = `const timer = setInterval(() => {
      if (process.listenerCount('uncaughtException') === 0) return;
      clearInterval(timer);
      throw new RangeError('The size is out of range');
    }, 1)`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(failing)}`;
    expect(await command({ ...env, NODE_OPTIONS }, ['user', 'list'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'worktrack: The command failed: The size is out of range.\n',
    });
  });

  it('changes nothing in a database whose schema is not current', async () => {
    const empty = { DATABASE_URL: await emptyDatabase('not_current') };
    expect(await command(empty, ['migrate', '--check'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'worktrack: The schema is not current.\n',
    });
    const { code, stderr } = await command(empty, ['user', 'list']);
    expect([code, stderr]).toEqual([
      1,
      'worktrack: The schema of the database is not current: run "worktrack migrate", or start the service.\n',
    ]);
    expect(await command(env, ['migrate', '--check'])).toMatchObject({ code: 0, stdout: 'The schema is current.\n' });
  });

  it('migrates and checks with its results as JSON', async () => {
    const empty = { DATABASE_URL: await emptyDatabase('migrated_as_json') };
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await command(empty, ['migrate', '--json', ...args]);
      return { code, state: JSON.parse(stdout) as { current: boolean; migrations: string[] }, stderr };
    };
    expect(await ask('--check')).toEqual({ code: 3, state: { current: false, migrations: [] }, stderr: '' });
    const { code, state, stderr } = await ask();
    expect([code, state.current, stderr]).toEqual([0, true, expect.stringMatching(/^The database is empty: /)]);
    expect(state.migrations).toEqual(migrations.map(({ name }) => name));
    expect(await ask()).toEqual({ code: 0, state: { current: true, migrations: [] }, stderr: '' });
    expect(await ask('--check')).toEqual({ code: 0, state: { current: true, migrations: [] }, stderr: '' });
  });
});
