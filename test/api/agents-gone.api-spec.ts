/** Agents that leave before they are answered: what a tool would have done next is not begun. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basic, TestApp } from '../support/app.js';
import { lockWaiters } from '../support/connections.js';

let app: TestApp;
const stories: number[] = [];
beforeAll(async () => {
  app = await TestApp.start();
  for (const Name of ['First', 'Second'])
    stories.push((await app.write('UserStories', { Name, Project: { Id: 8 } })).Id);
});
afterAll(() => app.stop());

const update = (id: number, signal?: AbortSignal) =>
  fetch(new URL('/mcp', app.base), {
    method: 'POST',
    headers: { authorization: basic('admin'), 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'update', arguments: { id, fields: { Name: 'Changed' } } },
    }),
    ...(signal && { signal }),
  });

it('an item that was only read by then is not changed', async () => {
  const client = await app.database.connect();
  const leaving = new AbortController();
  try {
    await client.query('begin; lock table entity_state in access exclusive mode');
    const left = update(stories[0]!, leaving.signal).catch(() => 'left');
    // The kind of the item is asked for, with its state; who asks is not looked up there.
    await lockWaiters(client);
    leaving.abort();
    expect(await left).toBe('left');
    // Whoever is answered later came later.
    for (let round = 0; round < 3; round += 1) await app.ask('/health/live');
    await client.query('commit');
  } finally {
    client.release(true);
  }
  expect((await update(stories[1]!)).status).toBe(200);
  const names = await app.rows('select name from general where id = any($1) order by id', [stories]);
  expect(names).toEqual([{ name: 'First' }, { name: 'Changed' }]);
});
