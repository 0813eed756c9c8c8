/** The command line as a client of a running service: asking, changing, and what is refused. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type CommandOutcome, command } from '../support/command.js';
import { hasOpenssl, makeCertificate } from '../support/encrypted-postgres.js';
import { hasTerminals, Terminal } from '../support/terminal.js';

let app: TestApp;
let home: string;
let story: number;

beforeAll(async () => {
  app = await TestApp.start();
  home = mkdtempSync(join(tmpdir(), 'worktrack-client-'));
  const [project] = await app.items('/api/v1/Projects?take=1', { as: 'alice' });
  story = (await app.write('UserStories', { Name: 'Pick apples', Project: { Id: project.Id } })).Id;
  await run(['login', app.base, '--login', 'alice'], 'demo\n');
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await app.stop();
});

const run = (args: string[], input?: string, env: Record<string, string> = {}): Promise<CommandOutcome> =>
  command({ XDG_CONFIG_HOME: home, ...env }, args, input);

const hostsFile = (directory = home): string => join(directory, 'worktrack/hosts.json');
const kept = (directory = home) => JSON.parse(readFileSync(hostsFile(directory), 'utf8'));

const done = async (args: string[], input?: string) => {
  const outcome = await run(args, input);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(outcome.stdout);
};

describe('asking', { timeout: 120_000 }, () => {
  it('query gives what the API answers', async () => {
    const asked = `UserStories?where=(Name eq 'Pick apples')&include=[Id,Name]`;
    expect(await done(['query', asked])).toEqual({
      Items: [{ ResourceType: 'UserStory', Id: story, Name: 'Pick apples' }],
    });
    expect(await done(['query', `/api/v2/UserStory?where=id==${story}&select=name`])).toEqual({
      items: ['Pick apples'],
    });
    expect(await done(['query', '/api/v2/UserStory?where=id<0&result=count'])).toBe(0);
    const csv = `UserStories?where=(Id eq ${story})&include=[Id,Name]`;
    for (const format of ['format', 'resultFormat'])
      expect((await run(['query', `${csv}&${format}=csv`])).stdout).toMatch(/^"?Id"?,"?Name"?\r?\n/);
    expect(await done(['query', `UserStories/${story}`])).toMatchObject({ Id: story });
  });

  it('what an answer leaves out or ignores is said on standard error', async () => {
    const more = 'There are more: ask for them with take and skip.\n';
    for (const [asked, told] of [
      ['UserStories?format=csv&include=[Id]&take=1', more],
      ['/api/v2/UserStory?format=csv&select={id}&take=1', more],
      [`UserStories?format=csv&where=(Id eq ${story})`, ''],
      ['UserStories?format=csv&take=1000&skip=1', ''],
      ['UserStories?format=json&take=1', ''],
      ['UserStories?take=1&filter=x', 'Version 1 ignores filter (use where).\n'],
    ] as const)
      expect([asked, await run(['query', asked])]).toMatchObject([asked, { code: 0, stderr: told }]);
  });

  it('ends like any program whose output nobody reads any more', async () => {
    const line = `"${process.execPath}" dist/cli/main.js query 'Generals?take=1000' | head -c 1; echo " \${PIPESTATUS[0]}"`;
    const env = { PATH: process.env.PATH, XDG_CONFIG_HOME: home };
    const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-c', line], { env });
    expect([stdout, stderr]).toEqual(['{ 141\n', '']);
  });

  it('search and get find an item', async () => {
    const rows = await done(['search', 'pick', 'apples', '--kind', 'UserStory']);
    expect(rows).toMatchObject([{ id: story, kind: 'UserStory', name: 'Pick apples' }]);
    expect(await done(['get', String(story)])).toMatchObject({ ResourceType: 'UserStory', Id: story });
    expect(await done(['get', '5', '--kind', 'User'])).toMatchObject({ ResourceType: 'User', Id: 5 });
  });

  it('search says where it ends before all is found', async () => {
    const bodies = Array.from({ length: 501 }, (_, n) => ({ Name: `medlar ${n}`, Project: { Id: 8 } }));
    expect((await app.post('/api/v1/Bugs/bulk?include=[Id]', bodies)).status).toBeLessThan(300);
    const { stdout, stderr } = await run(['search', 'medlar', '--take', '1000']);
    expect(JSON.parse(stdout)).toHaveLength(500);
    expect(stderr).toBe('Only the newest 500 texts that fit are ranked: there may be others.\n');
    expect((await run(['search', 'medlar', '--take', '25'])).stderr).toBe('');
  });

  it.each<[string[], number, RegExp]>([
    [
      ['get', '999999999'],
      1,
      /^worktrack: There is no story, bug or other item with Id 999999999, or access to it is forbidden\.$/m,
    ],
    [['get', 'abc'], 2, /An id such as 1263 is needed/],
    [['get', '1', '--kind', '../../login?x='], 1, /./],
    [['query', 'UserStoriez'], 1, /Unknown resource/],
    [['query', 'UserStories?where=(Nam eq 1)'], 1, /Did you mean/],
    [['query', '/login'], 2, /A query such as/],
    [['query', '/api/../login'], 2, /A query such as/],
    [['query', '//evil.example/api/'], 2, /A query such as/],
    [['query', '@evil.example/api/'], 1, /Unknown resource|nothing at/],
    [['search', '--', '-x'], 1, /a word to look for is needed/],
    [['search'], 2, /missing required argument/],
    [['get', '1', '--host', 'https://work.example'], 1, /not logged in to https:\/\/work\.example/],
  ])('%j ends with %i', async (args, code, text) => {
    const outcome = await run(args);
    expect([outcome.code, outcome.stdout]).toEqual([code, '']);
    expect(outcome.stderr).toMatch(text);
    expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});

describe('changing', { timeout: 120_000 }, () => {
  it('move, log and comment do', async () => {
    const [item] = await app.items(`/api/v1/UserStories?where=(Id eq ${story})&include=[EntityState[Name,NextStates]]`);
    const state = item.EntityState.NextStates.Items[0].Name;
    expect(await done(['move', String(story), state.toLowerCase()])).toMatchObject({ id: story, state });
    expect(await done(['log', `#${story}`, '1h30m', 'Up the tree', '--date', '2026-02-03'])).toMatchObject({
      hours: 1.5,
      item: story,
    });
    expect(await done(['comment', String(story), 'Red ones'])).toMatchObject({ item: story });
    expect(await done(['comment', String(story)], 'Green\nones\n')).toMatchObject({ item: story });
    const comments = await app.items(`/api/v1/Comments?where=(General.Id eq ${story})&orderBy=Id`);
    expect(comments.map(({ Description, Owner }) => [Description, Owner.Login])).toEqual([
      ['<!--markdown-->Red ones', 'alice'],
      ['<!--markdown-->Green\nones', 'alice'],
    ]);
  });

  it.each<[string[], number, RegExp]>([
    [['move', '$', 'Dne'], 1, /the state 'Dne' is not one of the workflow of this item: .*Open/],
    [['log', '$', 'two hours'], 2, /A duration such as 2h, 30m or 1h30m/],
    [['log', '$', '9999h'], 1, /hours are allowed/],
    [['log', '$', '1h', 'x', '--date', 'yesterday'], 1, /Date/],
    [['comment', '$', ' '], 2, /The comment is empty/],
    [['comment', '$'], 2, /The comment is empty/],
    [['move', '999999999', 'Done'], 1, /There is no story, bug or other item with Id 999999999, or access/],
    [['comment', '999999999', 'x'], 1, /There is no story, bug or other item with Id 999999999, or access/],
    [['log', '999999999', '1h'], 1, /There is no story, bug or other work item with Id 999999999, or access/],
  ])('%j ends with %i', async (args, code, text) => {
    const outcome = await run(args.map((one) => one.replace('$', String(story))));
    expect([outcome.code, outcome.stdout]).toEqual([code, '']);
    expect(outcome.stderr).toMatch(text);
    expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(1);
  });

  it('a text that is not UTF-8 is refused', async () => {
    const count = async () => (await app.items(`/api/v1/Comments?where=(General.Id eq ${story})`)).length;
    const before = await count();
    for (const input of [[0xff], [0x61, 0xe9], [0xe2, 0x82]]) {
      const outcome = await command({ XDG_CONFIG_HOME: home }, ['comment', String(story)], Buffer.from(input));
      expect(outcome).toEqual({ code: 1, stdout: '', stderr: 'worktrack: Standard input is not UTF-8.\n' });
    }
    expect(await count()).toBe(before);
  });

  it('so is an argument', async () => {
    const line = `"${process.execPath}" dist/cli/main.js "$1" ${story} $'caf\\xe9'`;
    for (const name of ['comment', 'move', 'log']) {
      const failing = promisify(execFile)('bash', ['--norc', '-c', line, 'bash', name], {
        env: { PATH: process.env.PATH, XDG_CONFIG_HOME: home },
      });
      await expect(failing).rejects.toMatchObject({
        code: 2,
        stderr: 'worktrack: An argument is not UTF-8, or holds U+FFFD, which would take the place of what is not.\n',
      });
    }
  });

  it.skipIf(process.platform !== 'linux')('U+FFFD in an argument is a character as others are', async () => {
    const { comment } = await done(['comment', String(story), 'the export shows \ufffd for umlauts']);
    expect((await app.json(`/api/v1/Comments/${comment}`)).Description).toContain('shows \ufffd for');
  });

  it('a text that begins with a dash stands behind two', async () => {
    const bare = await run(['comment', String(story), '- green ones']);
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringMatching(/unknown option.*\n.*stands behind --/)]);
    expect(await done(['comment', String(story), '--', '- green ones'])).toMatchObject({ item: story });
  });

  it.each([
    '',
    'true',
    '/bin/false',
    '/no/such/browser',
  ])('open prints the address, also with BROWSER=%s', async (BROWSER) =>
    expect(await run(['open', String(story)], '', { BROWSER })).toEqual({
      code: 0,
      stdout: `${app.base}/entity/${story}\n`,
      stderr: '',
    }));
});

describe.skipIf(!hasTerminals)('on a terminal', { timeout: 120_000 }, () => {
  it('login asks, and does not show the password', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'worktrack-terminal-'));
    const terminal = new Terminal({ XDG_CONFIG_HOME: directory }, ['login', app.base]);
    await terminal.shows('Login: ');
    terminal.type('bruno\n');
    await terminal.shows('Password of bruno: ');
    terminal.type('demo\n');
    expect(await terminal.ended).toEqual({ code: 0, isRestored: true });
    expect(terminal.shown).toContain(`Logged in to ${app.base} as bruno.`);
    expect(terminal.shown).not.toContain('demo');
    expect(kept(directory).hosts[app.base].login).toBe('bruno');
    rmSync(directory, { recursive: true });
  });

  it('answers are tables, unless JSON is asked for', async () => {
    const shown = async (...args: string[]): Promise<string[]> => {
      const terminal = new Terminal({ XDG_CONFIG_HOME: home }, args);
      expect(await terminal.ended).toMatchObject({ code: 0 });
      return terminal.lines.filter(Boolean);
    };
    const asked = `UserStories?where=(Id eq ${story})&include=[Id,Name,Owner,Tasks]`;
    const [header, row] = await shown('query', asked);
    expect(header).toMatch(/^Id +Name +Owner +Tasks$/);
    expect(row).toMatch(new RegExp(`^${story} +Pick apples +\\S.* +\\[0\\]$`));
    expect(JSON.parse((await shown('query', asked, '--json')).join(''))).toMatchObject({ Items: [{ Id: story }] });
    expect(await shown('get', String(story))).toContainEqual(expect.stringMatching(/^Name +Pick apples$/));
    expect(await shown('search', 'nothinglikethis')).toEqual(['There are none.']);
    expect((await shown('search', 'shared', '--take', '1')).at(-1)).toBe('There are more: ask for them with --take.');
    expect((await shown('query', 'Users?take=1')).at(-1)).toBe('There are more: ask for them with take and skip.');
  });

  it('tables are no wider than the terminal', async () => {
    const terminal = new Terminal({ XDG_CONFIG_HOME: home, COLUMNS: '60' }, ['query', 'UserStories?take=2']);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    const [header, ...rows] = terminal.lines.filter(Boolean);
    expect(header).toMatch(/^Id +Name +Description {2}/);
    for (const line of rows.slice(0, 2)) expect(line.length).toBeLessThanOrEqual(60);
    expect(rows[2]).toMatch(/^Columns without room: \d+\. Ask for fewer, or for JSON by --json\.$/);
  });

  it('who works on an item is shown by name, custom fields by value', async () => {
    const CustomFields = [{ Name: 'Risk', Value: 'High' }];
    const people = {
      Assignments: [{ GeneralUser: { Id: 27 }, Role: { Id: 1 } }],
      AssignedTeams: [{ Team: { Id: 3 } }],
    };
    const Project = { Id: (await app.items("/api/v1/Projects?where=(Name eq 'Data Platform')"))[0].Id };
    const { Id } = await app.write('UserStories', { Name: 'Pick nuts', Project, CustomFields, ...people });
    const terminal = new Terminal({ XDG_CONFIG_HOME: home }, ['get', String(Id)]);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    for (const line of [/^AssignedUser +Yuki Sato$/, /^ResponsibleTeam +Alpha$/, /^CustomFields\.Risk +High$/])
      expect(terminal.lines).toContainEqual(expect.stringMatching(line));
  });

  it('names do not steer it', async () => {
    const [project] = await app.items('/api/v1/Projects?take=1', { as: 'alice' });
    const Name = 'Red\u009b2J\u202e apples';
    const { Id } = await app.write('UserStories', { Name, Project: { Id: project.Id } });
    const terminal = new Terminal({ XDG_CONFIG_HOME: home }, ['get', String(Id)]);
    await terminal.ended;
    expect(terminal.shown).toContain('Red\ufffd2J\ufffd apples');
    expect(terminal.shown).not.toMatch(/[\u009b\u202e]/);
  });
});

describe('other services', { timeout: 120_000 }, () => {
  it('by the environment', async () => {
    const { Token } = await app.write('AccessTokens', { Name: 'CI' }, { as: 'bruno' });
    const env = { WORKTRACK_URL: app.base, WORKTRACK_TOKEN: Token, XDG_CONFIG_HOME: '/nowhere' };
    const { code, stdout } = await run(['query', 'Users/LoggedUser?include=[Login]'], '', env);
    expect([code, JSON.parse(stdout).Login]).toEqual([0, 'bruno']);
    const withEnd = { ...env, WORKTRACK_TOKEN: `${Token}\r\n` };
    expect(await run(['query', 'Users/LoggedUser?include=[Login]'], '', withEnd)).toMatchObject({ code: 0 });
    expect(await run(['get', '1'], '', { ...env, WORKTRACK_TOKEN: `${Token}\nx` })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'worktrack: WORKTRACK_TOKEN: this is no token.\n',
    });
  });

  it('a token without the service that it is of is refused, whoever is logged in', async () => {
    for (const host of [[], ['--host', app.base]])
      expect(await run(['get', String(story), ...host], '', { WORKTRACK_TOKEN: 'x' })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'worktrack: WORKTRACK_TOKEN needs WORKTRACK_URL beside it, the service that the token is of. ' +
          'To use a login, unset it.\n',
      });
    expect(await run(['logout', 'http://127.0.0.1:1'], '', { WORKTRACK_TOKEN: 'x' })).toMatchObject({
      stderr: expect.stringContaining('You are not logged in to http://127.0.0.1:1'),
    });
  });

  it.skipIf(!hasOpenssl)('one with a certificate of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'worktrack-certified-'));
    const [certificate, key] = [join(folder, 'own.crt'), join(folder, 'own.key')];
    makeCertificate(certificate, key);
    const server = createSecureServer(
      { cert: readFileSync(certificate), key: readFileSync(key) },
      (_request, response) => void response.end('{"Items":[]}'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const env = { WORKTRACK_TOKEN: 'x', WORKTRACK_URL: url };
    expect((await run(['query', 'Bugs'], '', env)).stderr).toMatch(
      /cannot be reached: DEPTH_ZERO_SELF_SIGNED_CERT\. .*NODE_EXTRA_CA_CERTS\.\n$/,
    );
    expect(await run(['query', 'Bugs'], '', { ...env, NODE_EXTRA_CA_CERTS: certificate })).toMatchObject({ code: 0 });
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('one that is not there, and one that answers otherwise', async () => {
    const env = { WORKTRACK_TOKEN: 'x' };
    const closed = await run(['get', '1'], '', { ...env, WORKTRACK_URL: 'http://127.0.0.1:1' });
    expect([closed.code, closed.stderr]).toEqual([
      1,
      expect.stringMatching(/^worktrack: http:\/\/127\.0\.0\.1:1 cannot be reached: .*\n$/),
    ]);
    const other = await stranger(200, '<html>', {});
    expect((await run(['get', '1'], '', { ...env, WORKTRACK_URL: other.url })).stderr).toMatch(
      /answered with status 200/,
    );
    other.server.close();
  });

  it('what it says does not steer the terminal, nor lead the token elsewhere', async () => {
    const seen: string[] = [];
    const target = await stranger(200, '{}', {}, seen);
    const steering = '\u001b[2J\u009b2J\u202e\nsecond line';
    const env = { WORKTRACK_TOKEN: 'secret' };
    const refusing = await stranger(400, JSON.stringify({ Message: steering }), {});
    const { stderr } = await run(['query', 'Bugs'], '', { ...env, WORKTRACK_URL: refusing.url });
    expect(stderr).toBe('worktrack: \ufffd[2J\ufffd2J\ufffd; second line\n');
    const answering = await stranger(200, JSON.stringify({ Items: [{ Name: steering }] }), {});
    const { stdout } = await run(['query', 'Bugs'], '', { ...env, WORKTRACK_URL: answering.url });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
    expect(stdout.trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202e]/);
    expect(JSON.parse(stdout).Items[0].Name).toBe(steering);
    const leading = await stranger(302, '', { location: target.url });
    expect(await run(['query', 'Bugs'], '', { ...env, WORKTRACK_URL: leading.url })).toMatchObject({
      code: 1,
      stderr: `worktrack: ${leading.url} leads to ${target.url}: log in there if you trust it.\n`,
    });
    expect(seen).toEqual([]);
    for (const { server } of [target, refusing, answering, leading]) server.close();
  });
});

/** Something else that speaks HTTP. */
async function stranger(
  status: number,
  text: string,
  headers: Record<string, string>,
  seen: string[] = [],
): Promise<{ url: string; server: Server }> {
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}
