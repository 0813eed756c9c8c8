/** Links of version 2 to other pages say all that was asked for. */
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

interface Raw {
  status?: number;
  link?: string;
  // biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
  json: any;
}

/** As it is written; `fetch` would encode quotes. */
const follow = (link: string): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.base);
    const path = link.replace(app.base, '');
    const headers = { authorization: basic('admin') };
    const sent = request({ hostname, port, path, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      const link = answer.headers.link?.toString();
      resolve({ status: answer.statusCode, link, json: text.startsWith('{') ? JSON.parse(text) : undefined });
    });
    sent.on('error', reject).end();
  });

describe('a query whose usual link is too long for an address', () => {
  /** Not in a list of so many texts. */
  const others = (count: number, text: string) => `id>0 and name not in [${Array(count).fill(`"${text}"`).join(',')}]`;
  const marks = '[,]:;?'.repeat(16);

  it.each([
    ['names', others(140, marks)],
    ['signs', others(80, `a&b#c%d+e f<g>é${marks}`)],
  ])('of %s leads to the next page and back', async (_, where) => {
    // As a program writes it that encodes what it must.
    const written = where.replace(/[&#%+<>é]/g, (sign) => encodeURIComponent(sign)).replaceAll(' ', '+');
    const select = '{id,n:name}';
    const first = await follow(`/api/v2/UserStory?where=${written}&select=${select}&take=2`);
    expect([first.status, encodeURIComponent(where).length > 16 * 1024]).toEqual([200, true]);
    const { next } = first.json;
    const parameters = new URL(next).searchParams;
    expect([parameters.get('where'), parameters.get('select')]).toEqual([where, select]);
    const second = await follow(next);
    expect([second.status, second.json.items.length]).toEqual([200, 2]);
    expect(Object.keys(second.json.items[0])).toEqual(['id', 'n']);
    const back = await follow(second.json.prev);
    expect(back.json.items).toEqual(first.json.items);
  });

  it('has a link also in a table', async () => {
    const where = others(140, marks);
    const path = `/api/v2/UserStory?where=${where.replaceAll(' ', '+')}&select={id}&take=2&format=csv`;
    const { link: header = '', status } = await follow(path);
    const link = /<([^>]*)>/.exec(header)?.[1] ?? '';
    expect([status, new URL(link).searchParams.get('where')]).toEqual([200, where]);
  });

  it('of a form fits if few characters are encoded, and names the page alone where it does not', async () => {
    const sent = (where: string) =>
      app.ask('/api/v2/UserStory?take=2', {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${new URLSearchParams({ where })}`,
      });
    const fits = others(130, marks);
    const { next } = (await sent(fits)).json;
    expect(new URL(next).searchParams.get('where')).toBe(fits);
    const long = await sent(others(180, marks));
    expect([...new URL(long.json.next).searchParams.keys()]).toEqual(['take', 'skip']);
  });
});

it('links keep how current an answer has to be', async () => {
  const first = await app.ask('/api/v2/UserStory?take=2&skip=2&select=id&consistency=eventual');
  const of = (link: string) => new URL(link).searchParams.get('consistency');
  expect([of(first.json.next), of(first.json.prev)]).toEqual(['eventual', 'eventual']);
  expect((await follow(first.json.next)).status).toBe(200);
});
