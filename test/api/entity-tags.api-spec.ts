/** The version in an entity tag is a function of what its reader may be shown of the row, for every kind of entity. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { versionSql } from '../../src/model/row-version.js';
import type { ScalarKind } from '../../src/model/scalars.js';
import { name, sql, statement } from '../../src/sql.js';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { eventually } from '../support/eventually.js';
import { logIn } from '../support/log-in.js';

type StoredField = ScalarField | ReferenceField;

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const otherTables = model.resources.filter(
  (resource) => resource.root === resource && resource.name !== 'General' && !resource.isAbstract,
);
/** Without a counter of their versions. */
const uncounted = [...otherTables, model.resource('User'), model.resource('Requester')];

const first = async ({ collection }: ResourceType): Promise<number | undefined> =>
  (await app.items(`/api/v1/${collection}?take=1&include=[Id]`))[0]?.Id;

/** Of the shortest answer, so that it changes with the version alone. */
async function versionOf({ collection }: ResourceType, id: number, as = 'admin'): Promise<string> {
  const answer = await app.ask(`/api/v1/${collection}/${id}?format=json&include=[Id]`, { as });
  expect([collection, answer.status]).toEqual([collection, 200]);
  return answer.headers.get('etag') ?? 'none';
}

const idOfLogin = async (login: string): Promise<number> =>
  (await app.rows('select id from general_user where login = $1', [login]))[0].id;

/** Without triggers and foreign keys. */
async function store(text: string, values: unknown[]): Promise<void> {
  const client = await app.database.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(text, values);
  } finally {
    client.release(true);
  }
}

const isTable = async ({ table }: ResourceType): Promise<boolean> =>
  (await app.rows("select 1 from pg_class where relname = $1 and relkind = 'r'", [table])).length > 0;

describe('the version of an entity', () => {
  it('is that of no other one, of whatever kind, also where they were written together', async () => {
    const [{ Id: project }] = await app.items('/api/v1/Projects?take=1&include=[Id]');
    const stories = Array.from({ length: 3 }, (_, at) => ({ Name: `together ${at}`, Project: { Id: project } }));
    expect((await app.post('/api/v1/UserStories/bulk', stories)).status).toBe(200);
    const owners = new Map<string, string>();
    const shared: string[] = [];
    for (const resource of model.resources.filter((one) => one.root === one && one.like === undefined)) {
      if (!(await isTable(resource))) continue;
      const version = versionSql(resource, name('t'), undefined);
      const { text, parameters } = statement(sql`select id, ${version} as version from ${name(resource.table)} t`);
      for (const row of await app.rows(text, [...parameters])) {
        const owner = `${resource.name} ${row.id}`;
        const other = owners.get(row.version);
        if (other) shared.push(`${owner} and ${other}: ${row.version}`);
        owners.set(row.version, owner);
      }
    }
    expect(shared).toEqual([]);
    expect(owners.size).toBeGreaterThan(1000);
  });

  it('does not change when its row is written anew, or written into another database', {
    timeout: 180_000,
  }, async () => {
    const changed: string[] = [];
    for (const resource of uncounted) {
      const id = await first(resource);
      if (id === undefined || !(await isTable(resource))) continue;
      const before = await versionOf(resource, id);
      await store(`update "${resource.table}" set id = id where id = $1`, [id]);
      if ((await versionOf(resource, id)) !== before) changed.push(resource.name);
    }
    expect(changed).toEqual([]);
  });

  const another: Record<ScalarKind, (column: string) => string> = {
    text: (column) => `coalesce(${column}, '') || 'x'`,
    richText: (column) => `coalesce(${column}, '') || 'x'`,
    choice: (column) => `coalesce(${column}, '') || 'x'`,
    id: (column) => `coalesce(${column}, 0) + 1`,
    integer: (column) => `coalesce(${column}, 0) + 1`,
    long: (column) => `coalesce(${column}, 0) + 1`,
    decimal: (column) => `coalesce(${column}, 0) + 1`,
    double: (column) => `coalesce(${column}, 0) + 1`,
    flag: (column) => `${column} is not true`,
    moment: (column) => `coalesce(${column}, now()) + interval '1 hour'`,
  };

  const storedFields = ({ fields, settings, discriminator }: ResourceType) =>
    fields
      .filter((field) => field.kind !== 'collection')
      .filter(({ column }) => ![undefined, 'id', settings.softDelete, discriminator?.column].includes(column));

  const isOpen = (field: StoredField): boolean =>
    field.kind === 'scalar' || field.target.settings.visible.kind === 'everyone';

  const isWritten = ({ kindsBelow, settings }: ResourceType): boolean =>
    [settings, ...kindsBelow.map((kind) => kind.settings)].some(
      ({ operations }) => operations.update || operations.delete,
    );

  /** Undefined where the row may not hold another value, or is not there with it. */
  async function movesWith(resource: ResourceType, id: number, { column, ...field }: StoredField) {
    const { table, collection } = resource;
    const before = await versionOf(resource, id);
    const value = another[field.kind === 'scalar' ? field.scalar : 'integer'](`"${column}"`);
    const [old] = await app.rows(`select "${column}" as value from "${table}" where id = $1`, [id]);
    try {
      await store(`update "${table}" set "${column}" = ${value} where id = $1`, [id]);
    } catch (error) {
      expect((error as { code: string }).code).toMatch(/^235/);
      return undefined;
    }
    const { status, headers } = await app.ask(`/api/v1/${collection}/${id}?format=json&include=[Id]`);
    await store(`update "${table}" set "${column}" = $2 where id = $1`, [id, old.value]);
    expect(await versionOf(resource, id)).toBe(before);
    return status === 200 ? headers.get('etag') !== before : undefined;
  }

  it('changes with every column that its readers are shown, and back with it', { timeout: 180_000 }, async () => {
    const moved: string[] = [];
    const unmoved: string[] = [];
    for (const resource of uncounted) {
      const id = await first(resource);
      if (id === undefined || !(await isTable(resource))) continue;
      for (const field of storedFields(resource).filter((one) => isWritten(resource) || isOpen(one))) {
        const moves = await movesWith(resource, id, field);
        if (moves !== undefined) (moves ? moved : unmoved).push(`${resource.name}.${field.name}`);
      }
    }
    expect(unmoved).toEqual([]);
    expect(moved.length).toBeGreaterThan(150);
  });

  it('of what nobody writes does not change with references that some may not see', async () => {
    const moved: string[] = [];
    const unmoved: string[] = [];
    for (const resource of model.resources.filter((one) => one.root === one && !isWritten(one))) {
      const id = await first(resource);
      if (id === undefined || !(await isTable(resource))) continue;
      for (const field of storedFields(resource).filter((one) => !isOpen(one))) {
        const moves = await movesWith(resource, id, field);
        if (moves !== undefined) (moves ? moved : unmoved).push(`${resource.name}.${field.name}`);
      }
    }
    expect(moved).toEqual([]);
    expect(unmoved).toContain('FullHistory.Release');
  });

  it('does not change with what others do not see of a user: log-ins, new tokens, private fields', async () => {
    const user = model.resource('User');
    const id = await idOfLogin('dmitri');
    const versions = () => Promise.all(['alice', 'admin', 'dmitri'].map((as) => versionOf(user, id, as)));
    const before = await versions();
    expect((await app.post('/api/v1/Authentication', '', { as: 'dmitri' })).status).toBe(200);
    expect(await versions()).toEqual(before);
    expect((await logIn(app, 'dmitri', 'demo')).status).toBe(303);
    await store("update general_user set email = 'moved@example.com', active_directory_name = 'moved' where id = $1", [
      id,
    ]);
    const [member, administrator, self] = await versions();
    expect(member).toBe(before[0]);
    expect(administrator).not.toBe(before[1]);
    expect(self).not.toBe(before[2]);
  });

  it('confirms no guess of a hidden id: it depends on a secret of the database', async () => {
    const role = model.resource('Role');
    const id = (await first(role))!;
    const before = await versionOf(role, id);
    const [{ value }] = await app.rows("select value #>> '{}' as value from setting where name = 'token-secret'");
    const keep = (secret: string) =>
      app.rows("update setting set value = to_jsonb($1::text) where name = 'token-secret'", [secret]);
    await keep('0'.repeat(64));
    expect(await versionOf(role, id)).not.toBe(before);
    await keep(value);
    expect(await versionOf(role, id)).toBe(before);
  });
});

describe('If-Match on an entity without a counter of its versions', () => {
  const comment = async (): Promise<{ id: number; tag: string }> => {
    const [{ id: project }] = await app.rows('select id from general where entity_type_id = 1 and delete_date is null');
    const made = await app.post('/api/v1/Comments?format=json', { Description: 'a', General: { Id: project } });
    return { id: made.json.Id, tag: made.headers.get('etag')! };
  };

  it('lets one of several updates with one tag through', async () => {
    const { id, tag } = await comment();
    const update = (Description: string) =>
      app.post(`/api/v1/Comments/${id}?format=json`, { Description }, { headers: { 'if-match': tag } });
    const answers = await Promise.all(['one', 'two', 'three', 'four', 'five'].map(update));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412]);
  });

  it('is decided by what the row is once it is locked', async () => {
    const { id, tag } = await comment();
    const other = await app.database.connect();
    try {
      await other.query('begin');
      await other.query("update comment set description = 'by another' where id = $1", [id]);
      const update = app.post(`/api/v1/Comments/${id}`, { Description: 'b' }, { headers: { 'if-match': tag } });
      await eventually(async () => {
        const waiting = await app.rows(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        expect(waiting).toHaveLength(1);
      }, 30_000);
      await other.query('commit');
      expect((await update).status).toBe(412);
    } finally {
      other.release(true);
    }
  });

  it('takes the tag of either kind that a row is read as, and refuses it after a change', async () => {
    const id = await idOfLogin('bruno');
    const general = (await app.ask(`/api/v1/GeneralUsers/${id}`)).headers.get('etag')!;
    const update = (Skills: string) =>
      app.post(`/api/v1/Users/${id}?format=json`, { Skills }, { headers: { 'if-match': general } });
    expect((await update('first')).status).toBe(200);
    expect((await update('second')).status).toBe(412);
  });

  it('is not spent by a log-in that its reader cannot see', async () => {
    const id = await idOfLogin('grace');
    const tag = (await app.ask(`/api/v1/Users/${id}`)).headers.get('etag')!;
    await store('update general_user set token_version = token_version + 1 where id = $1', [id]);
    const update = await app.post(`/api/v1/Users/${id}`, { Skills: 'any' }, { headers: { 'if-match': tag } });
    expect(update.status).toBe(200);
  });
});
