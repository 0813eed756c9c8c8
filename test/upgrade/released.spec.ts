/**
 * A database of each released version, as it was then, with rows: this version takes it over, its schema becomes that
 * of a new database, and its lists answer what they answered. A release adds its dump, see CONTRIBUTING.md; nothing
 * here names it.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import 'reflect-metadata';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { Baseline1700000000100 } from '../../src/database/migrations/baseline.js';
import { migrations } from '../../src/database/migrations/migrations.js';
import { checkWords } from '../../src/doctor/words.js';
import { bareDatabase } from '../support/empty-database.js';
import { dumpOf, released } from '../support/released-database.js';
import { schemaOf } from '../support/schema.js';
import { ScratchDatabase } from '../support/scratch-database.js';
import { Service } from '../support/service.js';

const versions = readdirSync(import.meta.dirname).flatMap((file) => /^(.+)\.sql\.br$/.exec(file)?.[1] ?? []);

async function rows<T extends object>(url: string, text: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  return (await client.query<T>(text).finally(() => client.end())).rows;
}

const migrationsIn = async (url: string): Promise<string[]> =>
  (await rows<{ name: string }>(url, 'select name from migration order by id')).map(({ name }) => name);

/** Fields are named: those of later versions change nothing. Nothing depends on the day. */
const lists = [
  'Projects?include=[Name,Description,CreateDate,EntityState[Name],Process[Name],Effort,EffortCompleted,Progress]&take=5',
  'UserStories?include=[Name,Effort,EffortToDo,TimeSpent,Progress,EntityState[Name],Feature,Release,Tags,CustomFields]&take=10',
  `Bugs?where=(EntityState.IsFinal eq 'true')&include=[Name,EndDate,Severity[Name],Priority[Name]]&orderBy=Name&take=5`,
  'Tasks?include=[Name,Project[Name],UserStory[Name],RoleEfforts[Role[Name],Effort,TimeRemain]]&take=5',
  'Times?include=[Spent,Remain,Date,User,Role[Name]]&take=5',
  'Comments?include=[Description,CreateDate,General,Owner[FirstName]]&take=5',
  'Users?include=[FirstName,LastName,Login,Email,IsActive,Role[Name]]&take=5',
  'TeamMembers?include=[Team[Name],User[Login],Role[Name]]&take=5',
  'TestCaseRuns?include=[Status,Comment,TestCase,TestPlanRun]&take=5',
  'UserStoryHistories?include=[Date,Effort,EntityState[Name],Modifier[Login]]&take=5',
  'EntityStates?include=[Name,IsInitial,IsFinal,Process[Name],EntityType[Name]]&take=100',
  'CustomFields?include=[Name,FieldType,Value,EntityType[Name]]&take=50',
];

/**
 * Of stories that the lists do not show. The words of one fit a tsvector only where few characters of custom fields are
 * searched; the other one has words that are searched no longer.
 */
const longTexts = `
  set worktrack.history = 'off';
  with letters as (
    select string_agg(chr(i), '' order by i) as all from (values (x'20000'::int, x'2a6dd'::int),
      (x'2a700'::int, x'2ebe0'::int), (x'30000'::int, x'323af'::int), (x'3400'::int, x'4dbf'::int),
      (x'4e00'::int, x'9fff'::int)) script (first, last), generate_series(first, last) i),
  words as (
    select string_agg((select string_agg(chr(x'12000'::int + (i * n + i / 500) % 500), '') from generate_series(1, 8) n), ' ')
      as all from generate_series(0, 11000) i)
  update general set description = '<div>' || left(letters.all, 99990) || '</div>',
    custom_values = jsonb_build_object('Notes', left(words.all, 50000), 'Notes2', right(words.all, 49000))
  from letters, words where id = (select min(id) from general where entity_type_id = 4);
  update general set custom_values = jsonb_build_object('Notes', (select string_agg('word' || n, ' ') from generate_series(1, 5000) n))
  where id = (select min(id) from general where entity_type_id = 4 and id > (
    select min(id) from general where entity_type_id = 4))`;

const headers = {
  authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
  'content-type': 'application/json',
};

describe.each(versions)('a database of version %s', { timeout: 120_000 }, (version) => {
  let database: ScratchDatabase;
  let service: Service;
  let base: string;
  let before: string[];

  beforeAll(async () => {
    database = await released(version);
    await rows(database.url, longTexts);
    before = await migrationsIn(database.url);
    service = Service.spawn({ DATABASE_URL: database.url });
    base = await service.address();
  }, 120_000);
  afterAll(async () => {
    service.kill('SIGTERM');
    await service.ended;
    await database.drop();
  });

  const ask = async (path: string, body?: object) => {
    const url = `${base}/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`;
    const answer = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    // biome-ignore lint/suspicious/noExplicitAny: answers have the shape of their request
    return { status: answer.status, content: (await answer.json()) as any };
  };

  it('gets the migrations that came since, and keeps the list of those before', async () => {
    const names = migrations.map(({ name }) => name);
    expect(await migrationsIn(database.url)).toEqual([...before, ...names.filter((name) => !before.includes(name))]);
    expect(service.output.match(/\w+(?= begins\.)/g) ?? []).toEqual(names.filter((name) => !before.includes(name)));
  });

  it('gets the schema of a new database', async () => {
    const [upgraded, made] = [
      await schemaOf(database.url),
      await schemaOf(await bareDatabase(`new_beside_${version.replaceAll('.', '_')}`)),
    ];
    expect(upgraded).toEqual(made);
  });

  it('has the words to search by that its texts have now', async () => {
    const source = await createDataSource(database.url, { timeZone: 'UTC', pool: 1 }).initialize();
    expect(await checkWords(source).finally(() => source.destroy())).toEqual([]);
  });

  it('answers what it answered', async () => {
    const lines: string[] = [];
    for (const path of lists) {
      const { status, content } = await ask(path);
      expect([path, status]).toEqual([path, 200]);
      lines.push(path, ...content.Items.map((item: object) => JSON.stringify(item)));
    }
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`${version}.answers.txt`);
  });

  it('takes writes: totals, histories, words and the record follow', async () => {
    const [{ Id: Project }] = (await ask('Projects?include=[Id]&take=1')).content.Items;
    const effort = async () => (await ask(`Projects/${Project}?include=[Effort]`)).content.Effort;
    const was = await effort();
    const RoleEfforts = { Items: [{ Role: { Id: 1 }, Effort: 7 }] };
    const story = { Name: 'quokka upgraded', Project: { Id: Project }, RoleEfforts };
    const { status, content } = await ask('UserStories', story);
    expect(status).toBe(201);
    expect(await effort()).toBe(was + 7);
    const recorded = await rows(
      database.url,
      `select (select count(*)::int from full_history where general_id = ${content.Id}) as histories,
         (select count(*)::int from search_text where general_id = ${content.Id} and words @@ 'quokka') as words,
         (select count(*)::int from change_record where entity_id = ${content.Id} and resource = 'UserStory') as changes`,
    );
    expect(recorded).toEqual([{ histories: 1, words: 1, changes: 1 }]);
  });
});

describe('a database that was empty when a process came to migrate it', { timeout: 60_000 }, () => {
  it('is migrated as one with rows where an archive is restored meanwhile', async () => {
    const database = await ScratchDatabase.empty();
    const restoring = new pg.Client(database.url);
    await restoring.connect();
    await restoring.query('select pg_advisory_lock(33620408428065387)');
    const source = await createDataSource(database.url, { timeZone: 'UTC', pool: 1 }).initialize();
    const lines: string[] = [];
    const pause = async (): Promise<void> => {
      await restoring.query(`drop table if exists migration; ${dumpOf('0.2.0')}`);
      await restoring.query('select pg_catalog.pg_advisory_unlock_all()');
    };
    const limits = { lockTimeoutMs: 2_000, attempts: 2, pause };
    const done = await migrate(source, limits, { tell: (line) => lines.push(line) });
    await source.destroy();
    expect(lines.flatMap((line) => /^(\w+) begins\.$/.exec(line)?.[1] ?? [])).toEqual(done);
    await restoring.end();
    await database.drop();
  });
});

describe('a database from before the last version 0.1', { timeout: 60_000 }, () => {
  const line =
    'worktrack: LongTexts1700000000033 is the newest migration there, of a version before the last 0.1: ' +
    'start the last 0.1 on the database once, then this version.\n';
  let database: ScratchDatabase;

  beforeAll(async () => {
    database = await released('0.1.0');
    await rows(database.url, "delete from migration where name like 'Checksums%'; alter table attachment drop sha256");
  });
  afterAll(() => database.drop());

  it.each<[string, string[]]>([
    ['main.js', []],
    ['cli/main.js', ['migrate']],
    ['cli/main.js', ['migrate', '--check']],
    ['cli/main.js', ['user', 'list']],
    ['cli/main.js', ['backup', join(tmpdir(), `${randomUUID()}.tar`)]],
  ])('ends %s %s with one line, and is left as it is', async (script, args) => {
    const before = await migrationsIn(database.url);
    const started = Service.spawn({ DATABASE_URL: database.url }, script, args);
    onTestFinished(() => started.kill('SIGKILL'));
    expect([(await started.ended).code, started.output]).toEqual([1, line]);
    expect(await migrationsIn(database.url)).toEqual(before);
  });

  it('is refused by the migration itself, too', async () => {
    const source = await createDataSource(database.url, { timeZone: 'UTC' }).initialize();
    const migrating = new Baseline1700000000100().up(source.createQueryRunner());
    await expect(migrating).rejects.toThrow(/^LongTexts1700000000033 is the newest migration there/);
    await source.destroy();
  });
});
