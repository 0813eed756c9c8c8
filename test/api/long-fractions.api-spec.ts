/** Numbers with as many places as programs write: of a binary fraction 17 digits, of a decimal type up to 28. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  story = (await app.write('UserStories', { Name: 'Fractions', Project: { Id: 8 } })).Id;
});
afterAll(() => app.stop());

/** With the value that is stored of each. */
const fractions: [written: string, stored: number][] = [
  ['5.551115123125783e-17', 0],
  ['1.2345678901234567e-02', 0.0123],
  ['2.3333333333333333333333333333', 2.3333],
  ['1.2345678901234567E+1', 12.3457],
];

it.each(fractions)('%s is a number of a body, in JSON, as a text and in XML', async (written, stored) => {
  const send = (body: string, type: string) =>
    app.ask('/api/v1/Times?format=json&include=[Spent,Remain]', {
      method: 'POST',
      body,
      headers: { 'content-type': type },
    });
  for (const value of [written, `"${written}"`]) {
    const json = `{"Assignable":{"Id":${story}},"Spent":1,"Remain":${value}}`;
    expect((await send(json, 'application/json')).json).toMatchObject({ Spent: 1, Remain: stored });
  }
  const xml = `<Time Spent="1"><Assignable Id="${story}"/><Remain>${written}</Remain></Time>`;
  expect((await send(xml, 'application/xml')).json).toMatchObject({ Spent: 1, Remain: stored });
});

it.each(fractions)('%s is a number of a filter, in both versions', async (written) => {
  const value = encodeURIComponent(written);
  for (const path of [
    `/api/v1/Times?where=(Remain gt ${value}) and (Assignable.Id eq ${story})`,
    `/api/v1/Times?where=(Remain in (${value}))`,
    `/api/v1/UserStories?where=NumericPriority gt '${value}'`,
    `/api/v2/Time?where=remain>${value}`,
    `/api/v2/Time?where=remain>'${value}'`,
  ])
    expect([path, (await app.ask(path)).status]).toEqual([path, 200]);
});
