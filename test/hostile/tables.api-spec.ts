/** Tables of many cells: others are answered while one is made. Row D16 of the list of hostile requests. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { Reads } from '../../src/http/reads.js';
import { QueryV2Service } from '../../src/modules/query-v2/query-v2.service.js';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const members = Array.from({ length: 190 }, (_, at) => `a${at}:effort`).join(',');

/** How often the event loop turns between the answer of the database and the first byte of the table. */
async function turnsOf(page: { mockRestore(): void; mock: { settledResults: { type: string }[] } }, path: string) {
  let turns = 0;
  let next: NodeJS.Immediate;
  const turn = (): void => {
    if (page.mock.settledResults[0]?.type === 'fulfilled') turns += 1;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  app.nest.getHttpServer().once('request', (_, response) => {
    const { writeHead } = response;
    response.writeHead = (...head: [number]) => {
      clearImmediate(next);
      return writeHead.apply(response, head);
    };
  });
  const { status, text } = await app.ask(path, { headers: { 'accept-encoding': 'identity' } });
  page.mockRestore();
  return { status, rows: text.split('\r\n').length, turns };
}

it('D16: a table of version 2 is made while the event loop turns', async () => {
  const page = vi.spyOn(app.nest.get(QueryV2Service), 'page');
  const path = `/api/v2/Assignable?take=1000&format=csv&select={${members}}`;
  const { status, rows, turns } = await turnsOf(page, path);
  expect([status, rows]).toEqual([200, 1002]);
  expect(turns).toBeGreaterThan(3);
});

it('D16: a table of version 1 is made while the event loop turns', async () => {
  const page = vi.spyOn(app.nest.get(Reads), 'page');
  const { status, rows, turns } = await turnsOf(page, '/api/v1/Assignables?take=1000&format=csv');
  expect([status, rows]).toEqual([200, 1002]);
  expect(turns).toBeGreaterThan(3);
});
