/** `worktrack login` and `worktrack logout`: tokens are made, kept and ended. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type CommandOutcome, command } from '../support/command.js';
import { eventually } from '../support/eventually.js';

let app: TestApp;
let story: number;

beforeAll(async () => {
  app = await TestApp.start();
  const [project] = await app.items('/api/v1/Projects?take=1', { as: 'alice' });
  story = (await app.write('UserStories', { Name: 'Pick apples', Project: { Id: project.Id } })).Id;
});
afterAll(() => app.stop());

const run = (args: string[], input: string, env: Record<string, string> = {}): Promise<CommandOutcome> =>
  command({ XDG_CONFIG_HOME: '/nowhere', ...env }, args, input);

const hostsFile = (directory: string): string => join(directory, 'worktrack/hosts.json');
const kept = (directory: string) => JSON.parse(readFileSync(hostsFile(directory), 'utf8'));

describe('login and logout', { timeout: 120_000 }, () => {
  const fresh = async (work: (env: { XDG_CONFIG_HOME: string }) => Promise<void>): Promise<void> => {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-login-'));
    await work({ XDG_CONFIG_HOME: directory }).finally(() => rmSync(directory, { recursive: true }));
  };

  it('login makes a token and keeps it where its owner alone may read', async () => {
    await fresh(async (env) => {
      const { code, stdout, stderr } = await run(['login', `${app.base}/`, '--login', 'bruno'], 'demo\n', env);
      expect([code, stdout, stderr]).toEqual([0, `Logged in to ${app.base} as bruno.\n`, '']);
      const { current, hosts } = kept(env.XDG_CONFIG_HOME);
      expect([current, hosts[app.base].login]).toEqual([app.base, 'bruno']);
      const file = hostsFile(env.XDG_CONFIG_HOME);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(statSync(join(file, '..')).mode & 0o777).toBe(0o700);
      expect(readFileSync(file, 'utf8')).not.toContain('demo');
      const headers = { authorization: `Bearer ${hosts[app.base].token}` };
      expect((await app.raw('/api/v1/Users/LoggedUser?format=json', { headers })).json.Login).toBe('bruno');

      expect((await run(['logout'], '', env)).stdout).toBe(`Logged out of ${app.base}.\n`);
      expect(kept(env.XDG_CONFIG_HOME)).toEqual({ hosts: {} });
      expect((await app.raw('/api/v1/Users/LoggedUser', { headers })).status).toBe(401);
      const after = await run(['get', '1'], '', env);
      expect([after.code, after.stderr]).toEqual([1, 'worktrack: You are not logged in: run "worktrack login URL".\n']);
    });
  });

  it.each(['bruno\ndemo\n', 'bruno\r\ndemo\r\nmore\n', ' bruno \ndemo'])('takes two lines: %j', async (input) => {
    await fresh(async (env) => {
      const { code, stdout, stderr } = await run(['login', app.base], input, env);
      expect([code, stdout, stderr]).toEqual([0, `Logged in to ${app.base} as bruno.\n`, '']);
    });
  });

  it('takes two lines that come apart, and ends although its input does not', async () => {
    await fresh(async (env) => {
      const { PATH, HOME } = process.env;
      const child = spawn(process.execPath, ['dist/cli/main.js', 'login', app.base], { env: { PATH, HOME, ...env } });
      const ended = once(child, 'close');
      for (const piece of ['bru', 'no\n', 'de', 'mo\n'])
        await new Promise((resolve) => child.stdin.write(piece, resolve));
      expect(await ended).toEqual([0, null]);
      expect(kept(env.XDG_CONFIG_HOME).hosts[app.base].login).toBe('bruno');
    });
  });

  it('takes a token that there is, and leaves it to its owner', async () => {
    const { Token } = await app.write('AccessTokens', { Name: 'own' }, { as: 'bruno' });
    await fresh(async (env) => {
      expect(await run(['login', app.base, '--with-token'], `${Token}\n`, env)).toMatchObject({ code: 0, stderr: '' });
      expect(kept(env.XDG_CONFIG_HOME).hosts[app.base]).toEqual({ login: 'bruno', token: Token });
      expect((await run(['logout'], '', env)).stdout).toMatch(/The token itself goes on/);
      const headers = { authorization: `Bearer ${Token}` };
      expect((await app.raw('/api/v1/Users/LoggedUser', { headers })).status).toBe(200);
    });
  });

  it('makes a token that may only read', async () => {
    await fresh(async (env) => {
      await run(['login', app.base, '--login', 'alice', '--read-only'], 'demo\n', env);
      const { code, stderr } = await run(['comment', String(story), 'x'], '', env);
      expect([code, stderr]).toEqual([1, 'worktrack: This access token may only read.\n']);
    });
  });

  it.each<[string[], string, number, RegExp]>([
    [['--login', 'alice'], 'wrong\n', 1, /^worktrack: Login, password or token is not right.*\n$/],
    [['--with-token'], 'nonsense\n', 1, /^worktrack: Login, password or token is not right.*\n$/],
    [['--login', 'alice'], '', 1, /^worktrack: .*\n$/],
    [[], 'alice\n', 2, /^worktrack: A line with the login and one with the password are needed, or --login .*\n$/],
    [[], '\ndemo\n', 2, /^worktrack: A line with the login and one with the password are needed, or --login .*\n$/],
    [[], '', 2, /^worktrack: A line with the login and one with the password are needed, or --login .*\n$/],
    [[], 'alice\nwrong\n', 1, /^worktrack: Login, password or token is not right.*\n$/],
  ])('%j with %j is refused and keeps nothing', async (options, input, code, text) => {
    await fresh(async (env) => {
      const outcome = await run(['login', app.base, ...options], input, env);
      expect(outcome).toMatchObject({ code, stdout: '' });
      expect(outcome.stderr).toMatch(text);
      expect(existsSync(hostsFile(env.XDG_CONFIG_HOME))).toBe(false);
    });
  });

  it.each([
    'work.example',
    'ftp://work.example',
    'http://alice:demo@127.0.0.1',
    'http://127.0.0.1/?x=1',
    'http://',
  ])('%s is no address', async (address) => {
    const { code, stderr } = await run(['login', address, '--login', 'alice'], 'demo\n');
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^worktrack: .*address.*\n$/i)]);
  });

  it('tells of a file that cannot be read', async () => {
    await fresh(async (env) => {
      await run(['login', app.base, '--login', 'alice'], 'demo\n', env);
      writeFileSync(hostsFile(env.XDG_CONFIG_HOME), '{"hosts":');
      const { code, stderr } = await run(['get', '1'], '', env);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/hosts\.json cannot be read: remove it.*\n$/)]);
    });
  });

  it('makes no token that it cannot keep', async () => {
    const tokens = async () => (await app.items('/api/v1/AccessTokens?take=1000', { as: 'alice' })).length;
    const before = await tokens();
    await fresh(async (env) => {
      const directory = join(env.XDG_CONFIG_HOME, 'worktrack');
      const attempt = () => run(['login', app.base, '--login', 'alice'], 'demo\n', env);
      mkdirSync(directory, { recursive: true });
      writeFileSync(hostsFile(env.XDG_CONFIG_HOME), '{"hosts":');
      expect(await attempt()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/cannot be read/) });
      rmSync(directory, { recursive: true });
      // No directory can be made there.
      symlinkSync('/nowhere/else', directory);
      expect(await attempt()).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/^worktrack: .*\n$/),
      });
    });
    await eventually(async () => expect(await tokens()).toBe(before));
  });

  it.each(['a b', 'tökén', '\u0001', ' '])('%j is no token', async (token) => {
    await fresh(async (env) => {
      const outcome = await run(['login', app.base, '--with-token'], `${token}\n`, env);
      expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: 'worktrack: Token: this is no token.\n' });
    });
  });

  const statusWith = async (token: string): Promise<number> =>
    (await app.raw('/api/v1/Users/LoggedUser', { headers: { authorization: `Bearer ${token}` } })).status;

  it.each([
    [[]],
    [['--read-only']],
  ])('login %j: another login and logout end the token that was made', async (options) => {
    await fresh(async (env) => {
      const login = async (): Promise<string> => {
        const outcome = await run(['login', app.base, '--login', 'bruno', ...options], 'demo\n', env);
        expect(outcome).toMatchObject({ code: 0, stderr: '' });
        return kept(env.XDG_CONFIG_HOME).hosts[app.base].token;
      };
      const first = await login();
      const second = await login();
      await eventually(async () => expect(await statusWith(first)).toBe(401));
      expect(await statusWith(second)).toBe(200);
      expect(await run(['logout'], '', env)).toMatchObject({ code: 0, stderr: '' });
      await eventually(async () => expect(await statusWith(second)).toBe(401));
    });
  });

  it('a token that was given goes on when another takes its place', async () => {
    const { Token } = await app.write('AccessTokens', { Name: 'given' }, { as: 'bruno' });
    await fresh(async (env) => {
      await run(['login', app.base, '--with-token'], `${Token}\n`, env);
      await run(['login', app.base, '--login', 'bruno'], 'demo\n', env);
      expect(await statusWith(Token)).toBe(200);
    });
  });

  it('logout says where to end a token that the service did not end', async () => {
    await fresh(async (env) => {
      await run(['login', app.base, '--login', 'bruno'], 'demo\n', env);
      const gone = 'http://127.0.0.1:1';
      const { hosts } = kept(env.XDG_CONFIG_HOME);
      writeFileSync(
        hostsFile(env.XDG_CONFIG_HOME),
        JSON.stringify({ current: gone, hosts: { [gone]: hosts[app.base] } }),
      );
      const { code, stderr } = await run(['logout'], '', env);
      expect([code, stderr]).toEqual([
        1,
        `worktrack: Logged out, but the token could not be ended: do it at ${gone}/profile.\n`,
      ]);
      expect(kept(env.XDG_CONFIG_HOME)).toEqual({ hosts: {} });
    });
  });
});
