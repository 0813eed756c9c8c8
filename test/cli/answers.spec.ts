/** What the command line prints of an answer: the same bytes to programs, readable texts to people. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { command } from '../support/command.js';
import { hasTerminals, Terminal } from '../support/terminal.js';

const steering = 'Red\u0085\u007f\u202e apples';

let app: TestApp;
let env: Record<string, string>;
let story: number;

beforeAll(async () => {
  app = await TestApp.start();
  const { Token } = await app.write('AccessTokens', { Name: 'reader' }, { as: 'alice' });
  env = { WORKTRACK_URL: app.base, WORKTRACK_TOKEN: Token };
  const [project] = await app.items('/api/v1/Projects?take=1', { as: 'alice' });
  const Description = '<div>Pick <b>red</b> ones &amp; wait</div><ul><li>wash</li></ul>';
  story = (await app.write('UserStories', { Name: 'Pick apples', Description, Project: { Id: project.Id } })).Id;
});
afterAll(() => app.stop());

const printed = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await command(env, args);
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
};
const answered = async (path: string): Promise<string> =>
  (await app.raw(path, { headers: { authorization: `Bearer ${env.WORKTRACK_TOKEN}` } })).text;

describe('to programs', { timeout: 120_000 }, () => {
  it('JSON is passed on with all digits', async () => {
    const { Id } = await app.write('Times', { Assignable: { Id: story }, Spent: '3.0000', Description: 'x' });
    for (const asked of [`Times/${Id}`, `Times?where=(Id eq ${Id})`, `UserStories/${story}`]) {
      const wanted = await answered(`/api/v1/${asked}${asked.includes('?') ? '&' : '?'}format=json`);
      expect(await printed('query', asked)).toBe(`${wanted.trimEnd()}\n`);
    }
    expect(await printed('query', `Times/${Id}`)).toMatch(/"Spent":3\.0+,/);
    expect(await printed('get', String(Id), '--kind', 'Time')).toMatch(/"Spent":3\.0+,/);
  });

  it.each(['csv', 'ndjson', 'xml'])('format=%s is passed on', async (format) => {
    const asked = `UserStories?where=(Id eq ${story})&include=[Id,Name]&format=${format}`;
    expect(await printed('query', asked)).toBe(await answered(`/api/v1/${asked}`));
  });

  it('the address of the next page is asked as it was told', async () => {
    const first = JSON.parse(await printed('query', 'Users?take=1&include=[Login]'));
    const second = JSON.parse(await printed('query', first.Next));
    expect(second.Items).toHaveLength(1);
    expect(second.Items).not.toEqual(first.Items);
    const { code, stderr } = await command(env, ['query', 'http://evil.example/api/v1/Users']);
    expect([code, stderr]).toEqual([2, `worktrack: That is no address of ${app.base}: give its --host.\n`]);
  });

  it('a refusal in another format is told', async () => {
    const { code, stdout, stderr } = await command(env, ['query', 'UserStories?where=(Nam eq 1)&format=xml']);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^worktrack: .*Did you mean.*\n$/);
  });

  it('a token of nobody is refused in one line', async () => {
    const { stderr } = await command({ ...env, WORKTRACK_TOKEN: 'x' }, ['query', 'Bugs']);
    expect(stderr).toMatch(/^worktrack: Login, password or token is not right.*\n$/);
  });

  it('characters that steer are escaped, and come back whole', async () => {
    const { Id } = await app.write('UserStories', { Name: steering, Project: { Id: 8 } });
    const text = await printed('query', `UserStories/${Id}?include=[Name]`);
    expect(text).toContain('Red\\u0085\\u007f\\u202e apples');
    expect(JSON.parse(text).Name).toBe(steering);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get', arguments: { id: Id } } };
    const { stdout } = await command(env, ['mcp'], JSON.stringify(call));
    const { content } = JSON.parse(stdout).result;
    expect(JSON.parse(content[0].text).name).toBe(steering);
  });
});

describe('time', { timeout: 120_000 }, () => {
  const remains = async (): Promise<number> =>
    (await app.json(`/api/v1/UserStories/${story}?include=[TimeRemain]`)).TimeRemain;

  it('is logged with what remains', async () => {
    expect(JSON.parse(await printed('log', String(story), '90m', '--remain', '3h'))).toMatchObject({
      hours: 1.5,
      remain: 3,
    });
    expect(await remains()).toBe(3);
    expect(JSON.parse(await printed('log', String(story), '1h', '--remain', '0h'))).toMatchObject({ remain: 0 });
    expect(await remains()).toBe(0);
  });

  it.each([
    ['90', []],
    ['1.5', []],
    ['1h', ['--remain', '3']],
    ['0h', []],
  ])('%s %j needs a unit, and more than nothing', async (duration, options) => {
    const before = await app.rows('select count(*)::int as n from time');
    const { code, stderr } = await command(env, ['log', String(story), duration, ...options]);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^worktrack: A duration .* is needed.*\n$/)]);
    expect(await app.rows('select count(*)::int as n from time')).toEqual(before);
  });
});

describe.skipIf(!hasTerminals)('to people', { timeout: 120_000 }, () => {
  const shown = async (...args: string[]): Promise<string> => {
    const terminal = new Terminal(env, args);
    expect(await terminal.ended).toMatchObject({ code: 0 });
    return terminal.shown.replaceAll('\r', '');
  };

  it('descriptions are shown as text', async () => {
    const text = await shown('get', String(story));
    expect(text).toMatch(/Pick red ones & wait\n\n- wash\n$/);
    expect(text).not.toContain('<div>');
    expect(await shown('query', `UserStories?where=(Id eq ${story})&include=[Description]`)).toContain('Pick red ones');
  });

  it('dates are those of the service', async () => {
    const asked = `UserStories/${story}?include=[CreateDate]`;
    const [, milliseconds, offset] = /Date\((\d+)([+-]\d{4})\)/.exec(await answered(`/api/v1/${asked}&format=json`))!;
    const hours = Number(offset) / 100;
    const local = new Date(Number(milliseconds) + hours * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
    expect(await shown('query', asked)).toContain(local);
  });

  it('csv is printed, and steers nothing', async () => {
    const { Id } = await app.write('UserStories', { Name: steering, Project: { Id: 8 } });
    const text = await shown('query', `UserStories?where=(Id eq ${Id})&include=[Name]&format=csv`);
    expect(text).toMatch(/"Red\ufffd{3} apples"\n$/);
  });
});
