/**
 * Dates that only SQL can store - infinite ones, and years beyond the calendar - in every date column of the model:
 * they read as null.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ResourceType, ScalarField } from '../../src/model/model.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { parseXml } from '../support/xml.js';

/** By the remainder of the Id, so that each of them is among the rows of each table. */
const stored = ['infinity', '-infinity', '4713-01-02 BC', '294276-12-31', '0001-12-31 BC', '10000-01-03'];

const datesOf = ({ fields }: ResourceType): ScalarField[] =>
  fields.filter((field) => field.kind === 'scalar' && field.scalar === 'moment' && !field.isWriteOnly) as ScalarField[];

const beyond = /infinity| BC|294276|4713|10000-01/;

/** Columns that stay as they are. */
const kept = ['delete_date', 'date_to'];

const listed = model.resources.filter((one) => datesOf(one).length > 0);

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start({ TIME_ZONE: 'America/New_York' });
  const columns = new Map<string, Set<string>>();
  // What is deleted would not be shown, and the end of a history is unique.
  for (const resource of listed.filter(({ settings }) => !settings.isView))
    for (const { column } of datesOf(resource))
      if (column && !kept.includes(column))
        columns.set(resource.table, (columns.get(resource.table) ?? new Set()).add(column));
  const value = `(array[${stored.map((one) => `'${one}'`)}]::timestamptz[])[1 + id % ${stored.length}]`;
  for (const [table, names] of columns) {
    const checks = await app.rows(`select conname from pg_constraint where conrelid = $1::regclass and contype = 'c'`, [
      table,
    ]);
    for (const { conname } of checks) await app.rows(`alter table "${table}" drop constraint "${conname}"`);
    const assigned = [...names].map((name) => `"${name}" = ${value}`);
    await app.rows(
      `set session_replication_role = replica; update "${table}" set ${assigned}; reset session_replication_role`,
    );
  }
}, 120_000);
afterAll(() => app.stop());

/** What is never null is told from now, whatever the dates are. */
const named = (resource: ResourceType) => `include=[Id,${datesOf(resource).map(({ name }) => name)}]`;

describe.each(
  listed.map((resource) => [resource.collection, resource] as const),
)('F25: dates of %s', (name, resource) => {
  const stands = (item: Record<string, unknown>) =>
    datesOf(resource)
      .filter(({ column }) => column && !kept.includes(column) && !resource.settings.isView)
      .map((field) => item[field.name])
      .filter((one) => one !== null);

  it.each(['', '&dateformat=iso', '&isodate=1'])('read as null in JSON%s', async (style) => {
    const { Items } = await app.json(`/api/v1/${name}?take=12&${named(resource)}${style}`);
    expect(Items.flatMap(stands)).toEqual([]);
  });

  it('read as null in XML, CSV and version 2', async () => {
    const path = `/api/v1/${name}?take=12&${named(resource)}`;
    const { Items } = await app.json(path);
    const text = await app.xml(path);
    await parseXml(text);
    const csv = await app.ask(`${path}&format=csv`);
    const second = await app.ask(`/api/v2/${resource.name}?take=12`);
    expect([csv.status, second.status, second.json.items.length]).toEqual([200, 200, Items.length]);
    for (const one of [text, csv.text, second.text]) expect(one).not.toMatch(beyond);
  });

  it('are no numbers in what is worked out from them', async () => {
    const computed = resource.fields.filter((field) => field.kind === 'scalar' && field.expression);
    const names = ['Id', ...computed.map((field) => field.name)];
    const { status, text } = await app.ask(`/api/v1/${name}?take=12&format=xml&include=[${names}]`);
    expect([status, text.slice(0, 200)]).toEqual([200, expect.anything()]);
    expect(text).not.toMatch(/>-?(infinity|nan)</i);
  });

  it('do not end filters, orders and expressions', async () => {
    for (const { name: field, isPrivate } of datesOf(resource)) {
      if (isPrivate) continue;
      for (const filter of [`${field} gt '2026-01-01'`, `${field} is null`, `${field} lt 'Today-3'`]) {
        const { status, text } = await app.ask(
          `/api/v1/${name}?take=3&orderBy=${field}&where=${encodeURIComponent(filter)}`,
        );
        expect([filter, status, text.slice(0, 200)]).toEqual([filter, 200, expect.anything()]);
      }
      const v2 = field[0]!.toLowerCase() + field.slice(1);
      const parts = ['date', 'year', 'month', 'dayOfWeek', 'hour', "ToString('yyyy')", 'ToString()', 'addDays(1)'];
      const members = parts.map((part, index) => `p${index}:${v2}.${part}`);
      const select = `{id,${v2},z:(${v2}-today).totalDays,${members}}`;
      const ask = (parameters: Record<string, string>) =>
        app.ask(`/api/v2/${resource.name}?${new URLSearchParams({ take: '12', ...parameters })}`);
      const [all, ...answers] = await Promise.all(
        [{ select: 'id' }, { select }, { select: v2 }, { select: `${v2}.year` }].map(ask),
      );
      for (const { status, text, json } of answers) {
        expect([v2, status, text.slice(0, 200)]).toEqual([v2, 200, expect.not.stringMatching(beyond)]);
        expect([v2, json.items.length]).toEqual([v2, all!.json.items.length]);
      }
    }
  });
});

it('F25: an infinite date is later than all others, and one before the calendar earlier', async () => {
  const ids = async (filter: string) =>
    (await app.json(`/api/v1/UserStories?take=1000&include=[Id]&where=${encodeURIComponent(filter)}`)).Items.map(
      ({ Id }: { Id: number }) => Id % stored.length,
    );
  expect(new Set(await ids(`CreateDate gt '9999-12-31'`))).toEqual(new Set([0, 3, 5]));
  expect(new Set(await ids(`CreateDate lt '0002-01-01'`))).toEqual(new Set([1, 2, 4]));
});

describe('F25: version 2 leaves no item out for a date', () => {
  const ask = (parameters: Record<string, string>, id = '') =>
    app.ask(`/api/v2/UserStory${id}?${new URLSearchParams({ where: 'id>0', ...parameters })}`);

  it.each([
    '{id,d:createDate}',
    '{d:createDate,id}',
    '{d:createDate}',
    '{id,y:createDate.year}',
    '{id,d:DateTime.Parse("0001-01-01T00:00:00+14:00")}',
    '{id,y:DateTime.Parse("0001-01-01T00:00:00+14:00").year}',
    '{id,d:IIF(id>0,createDate,Today)}',
    '{id,d:IFNONE(createDate,Today)}',
    '{id,d:project.createDate}',
    '{id,l:tasks.select(createDate),m:tasks.max(createDate),o:tasks.select({createDate})}',
    'createDate',
    'DateTime.Parse("0001-01-01T00:00:00+14:00")',
  ])('%s', async (select) => {
    const count = (await ask({ result: 'count' })).json;
    expect(count).toBeGreaterThan(stored.length);
    const page = await ask({ select, take: '1000' });
    expect([page.status, page.json.items.length]).toEqual([200, count]);
    // A whole list is of objects with their ids.
    const list = await ask({ select: select.startsWith('{') ? select : `{id,x:${select}}`, format: 'ndjson' });
    expect([list.status, list.text.trim().split('\n').length]).toEqual([200, count]);
  });

  it('of one item, of a group and of all', async () => {
    const [[row]] = [await app.rows('select min(id) as id from general where entity_type_id = 4 and id % 6 = 0')];
    const one = await app.ask(`/api/v2/UserStory/${row.id}?select={id,d:createDate,y:createDate.year}`);
    expect([one.status, one.json]).toEqual([200, { items: [{ id: row.id }] }]);
    const groups = await ask({ groupBy: 'd:createDate', take: '1000' });
    const years = await ask({ groupBy: 'y:createDate.year' });
    expect([groups.json.items.length, years.json.items.length]).toEqual([stored.length, 1]);
    const { items } = (await ask({ select: '{d:IFNONE(createDate,Today)}', take: '1000' })).json;
    expect(items.every(({ d }: { d?: string }) => d)).toBe(true);
    expect((await ask({ result: '{count,max(createDate)}' })).json).toEqual({ count: expect.any(Number) });
  });
});
