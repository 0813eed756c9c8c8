/** What `worktrack doctor` finds, mends, and leaves as it is. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { checkTotals, mendTotals } from '../../src/doctor/totals.js';
import { command } from '../support/command.js';
import { lockWaiters } from '../support/connections.js';
import { emptyDatabase } from '../support/empty-database.js';
import { eventually } from '../support/eventually.js';
import { ScratchDatabase } from '../support/scratch-database.js';
import { until } from '../support/service.js';

let scratch: ScratchDatabase;
let client: pg.Client;
const DATA_DIR = mkdtempSync(join(tmpdir(), 'worktrack-doctor-'));

beforeAll(async () => {
  scratch = await ScratchDatabase.create();
  client = new pg.Client(scratch.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await scratch.drop();
  rmSync(DATA_DIR, { recursive: true });
});

const doctor = (...args: string[]) => command({ DATABASE_URL: scratch.url, DATA_DIR }, ['doctor', ...args]);
const indexes = async () =>
  (await client.query(`select indexdef from pg_indexes where schemaname = 'public' order by 1`)).rows;

it('finds nothing wrong with a sound database, and leaves nothing there', { timeout: 60_000 }, async () => {
  expect(await doctor()).toEqual({
    code: 0,
    stdout: 'Configuration, database, schema, indexes, record, places, values, totals, words and files are right.\n',
    stderr: '',
  });
  const { rows } = await client.query(`select nspname from pg_namespace where nspname like 'worktrack%'`);
  expect(rows).toEqual([]);
  expect(existsSync(join(DATA_DIR, 'files'))).toBe(false);
});

it('takes what somebody writes meanwhile for no difference', { timeout: 60_000 }, async () => {
  const writer = new pg.Client(scratch.url);
  await writer.connect();
  await writer.query('begin');
  await writer.query(`update general set name = name || '!' where entity_type_id in (1, 4)`);
  const looked = doctor();
  await lockWaiters(client);
  await writer.query('commit');
  await writer.end();
  expect(await looked).toMatchObject({ code: 0 });
});

it('keeps nobody waiting for whom it waits', { timeout: 60_000 }, async () => {
  const [holder, writer] = [new pg.Client(scratch.url), new pg.Client(scratch.url)];
  await Promise.all([holder.connect(), writer.connect()]);
  const items = (await client.query('select id from general where entity_type_id = 4 order by id limit 2')).rows;
  const write = 'update general set name = name where id = $1';
  await holder.query('begin');
  await holder.query(write, [items[0].id]);
  const looked = doctor();
  await lockWaiters(client);
  await writer.query(write, [items[1].id]);
  await holder.query('commit');
  await Promise.all([holder.end(), writer.end()]);
  expect(await looked).toMatchObject({ code: 0 });
});

const onceFor20Ms = { lockTimeoutMs: 20, attempts: 1, pause: async () => undefined };

it('says that it could not compare the totals', { timeout: 60_000 }, async () => {
  const source = await createDataSource(scratch.url, { timeZone: 'UTC', pool: 1 }).initialize();
  await client.query('begin; lock table general in row exclusive mode');
  const findings = await checkTotals(source, { ...onceFor20Ms, attempts: 2 });
  await client.query('commit');
  await source.destroy();
  expect(findings).toMatchObject([{ check: 'totals', problem: expect.stringContaining('no lock in 2'), mends: [] }]);
});

it('mends the totals once writers let it', { timeout: 60_000 }, async () => {
  const mender = new pg.Client(scratch.url);
  await mender.connect();
  await client.query('begin; lock table general in row exclusive mode');
  await expect(mendTotals(mender, onceFor20Ms)).rejects.toThrow('The totals were not mended. They were given no lock');
  await mendTotals(mender, { ...onceFor20Ms, attempts: 2, pause: async () => void (await client.query('commit')) });
  await mender.end();
});

it('waits for nothing else that briefly', { timeout: 60_000 }, async () => {
  const mender = new pg.Client(scratch.url);
  await mender.connect();
  await client.query('begin; lock table entity_state in access exclusive mode');
  const mended = mendTotals(mender, onceFor20Ms);
  const waits = until(async () => {
    const { rows } = await client.query(
      `select from pg_locks where not granted and waitstart < clock_timestamp() - interval '100 ms'
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows.length > 0;
  });
  await Promise.race([waits, mended.then(() => expect.unreachable())]);
  await client.query('commit');
  await mended;
  await mender.end();
});

it('looks at the same time as another one', { timeout: 60_000 }, async () => {
  for (const look of await Promise.all([doctor(), doctor(), doctor()]))
    expect(look).toMatchObject({ code: 0, stderr: '' });
});

it('finds and mends indexes that are missing or invalid, and wrong totals', { timeout: 120_000 }, async () => {
  const before = await indexes();
  await client.query('drop index ix_general_name_parts');
  await client.query(`update pg_index set indisvalid = false where indexrelid = 'ix_change_record_date'::regclass`);
  await client.query('create index mine on general (name)');
  await client.query('set session_replication_role = replica');
  const { rows } = await client.query(
    `update general set effort = effort + 5 where id = (select min(id) from general where entity_type_id = 4 and delete_date is null)
     returning id, effort - 5 as effort`,
  );
  const problems = [
    { check: 'indexes', problem: 'The index ix_change_record_date of change_record is invalid.' },
    { check: 'indexes', problem: 'The index ix_general_name_parts of general is missing.' },
    { check: 'totals', problem: expect.stringMatching(/^The totals of \d+ items are wrong\.$/) },
  ];
  const found = await doctor('--json');
  expect([found.code, JSON.parse(found.stdout)]).toEqual([
    3,
    problems.map((problem) => ({ ...problem, state: '--fix mends it' })),
  ]);
  const mended = await doctor('--fix', '--json');
  expect([mended.code, JSON.parse(mended.stdout)]).toEqual([
    0,
    problems.map((problem) => ({ ...problem, state: 'mended' })),
  ]);
  expect(await doctor()).toMatchObject({ code: 0 });
  await client.query('drop index mine');
  expect(await indexes()).toEqual(before);
  const [{ id, effort }] = rows;
  expect((await client.query('select effort from general where id = $1', [id])).rows).toEqual([{ effort }]);
});

it('keeps no writer waiting for whom it waits to make an index of the record', { timeout: 120_000 }, async () => {
  const [reader, writer] = [new pg.Client(scratch.url), new pg.Client(scratch.url)];
  await Promise.all([reader.connect(), writer.connect()]);
  await client.query(`update pg_index set indisvalid = false where indexrelid = 'ix_change_record_date'::regclass`);
  await reader.query('begin; select from change_record limit 1');
  const mended = doctor('--fix');
  // What it looks at comes first.
  await eventually(() => lockWaiters(client), 80_000);
  await writer.query(`update general set name = name || '!' where entity_type_id = 1`);
  await reader.query('commit');
  await Promise.all([reader.end(), writer.end()]);
  expect(await mended).toMatchObject({
    code: 0,
    stdout: 'indexes: The index ix_change_record_date of change_record is invalid. (mended)\n',
  });
});

it('mends the others where one cannot be mended, and says why', { timeout: 120_000 }, async () => {
  await client.query(
    `drop index ix_tag_name, ix_test_plan_run_bug_bug; insert into tag (name) values ('Dup'), ('dup')`,
  );
  const problem = (index: string, table: string) => `The index ${index} of ${table} is missing.`;
  const why = 'could not create unique index "ix_tag_name": Key (lower(name))=(dup) is duplicated';
  const mended = await doctor('--fix', '--json');
  expect([mended.code, JSON.parse(mended.stdout)]).toEqual([
    3,
    [
      { check: 'indexes', problem: problem('ix_tag_name', 'tag'), state: `could not be mended: ${why}` },
      { check: 'indexes', problem: problem('ix_test_plan_run_bug_bug', 'test_plan_run_bug'), state: 'mended' },
    ],
  ]);
  await client.query(`delete from tag where name = 'dup'`);
  expect((await doctor('--fix')).stdout).toBe('indexes: The index ix_tag_name of tag is invalid. (mended)\n');
  await client.query(`delete from tag where name = 'Dup'`);
});

/** A stored file that came so many hours ago. */
function stored(key: string, hours: number, name = key): void {
  const path = join(DATA_DIR, 'files', key.slice(0, 2), name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, 'bytes');
  const at = Date.now() / 1000 - hours * 3600;
  utimesSync(path, at, at);
}

it('finds and sweeps bytes without a row, and tells rows without bytes', { timeout: 120_000 }, async () => {
  const [whole, old, partial, recent, lost, short, picture] = [...'1234567'].map((digit) => digit.repeat(32));
  for (const key of [whole!, old!, short!]) stored(key, 30);
  stored(partial!, 30, `${partial}.0123abcd-77.part`);
  stored(recent!, 1);
  for (const [key, size] of [
    [whole, 5],
    [lost, 5],
    [short, 6],
  ])
    await client.query(
      `insert into attachment (name, unique_file_name, date, size, owner_id, general_id)
       select 'a', $1, now(), $2, 1, min(id) from general`,
      [key, size],
    );
  // Two rows of one file: the deletion of one would take the bytes of both.
  await client.query(`insert into attachment (name, unique_file_name, date, size, owner_id, general_id)
    select name, unique_file_name, date, size, owner_id, general_id from attachment where unique_file_name = '${whole}'`);
  await client.query('update general_user set avatar_uri = $1 where id = 1', [`/avatar.ashx?UserID=1&v=${picture}`]);
  const problems = [
    {
      problem: expect.stringMatching(
        `^The bytes of 2 files are missing: attachment \\d+ .${lost}., picture of user 1 .${picture}..$`,
      ),
      state: 'needs you',
    },
    {
      problem: expect.stringMatching(`^1 files have another length than their rows tell: attachment \\d+ .${short}..$`),
      state: 'needs you',
    },
    {
      problem: expect.stringMatching(`^1 files belong to several: attachment \\d+ and attachment \\d+ .${whole}..$`),
      state: 'needs you',
    },
  ];
  const orphans = (state: string) => ({ problem: '2 stored files belong to nothing.', state });
  const shape = (stdout: string) => JSON.parse(stdout).map(({ problem, state }: never) => ({ problem, state }));
  expect(shape((await doctor('--json')).stdout)).toEqual([...problems, orphans('--fix mends it')]);
  expect(shape((await doctor('--fix', '--json')).stdout)).toEqual([...problems, orphans('mended')]);
  expect(shape((await doctor('--json')).stdout)).toEqual(problems);
  await client.query('delete from attachment where unique_file_name = any($1)', [[lost, short]]);
  await client.query('delete from attachment where id = (select max(id) from attachment)');
  await client.query('update general_user set avatar_uri = null where id = 1');
  stored(short!, 1);
  expect(await doctor()).toMatchObject({ code: 0 });
});

it('sweeps nothing where the database has no file at all', { timeout: 60_000 }, async () => {
  const [whole, partial] = [...'ab'].map((digit) => digit.repeat(32));
  stored(whole!, 30);
  stored(partial!, 30, `${partial}.0123abcd-77.part`);
  const rename = (to: string) =>
    client.query(`update attachment set unique_file_name = ${to} where unique_file_name ~ '^x?[0-9a-f]{32}$'`);
  await rename(`'x' || unique_file_name`);
  const { code, stdout } = await doctor('--fix');
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(
      /^files: \d+ files are stored and the database has none: .* nothing was swept\. .* \(needs you\)\n$/,
    ),
  ]);
  for (const [key, name] of [
    [whole!, whole!],
    [partial!, `${partial}.0123abcd-77.part`],
  ] as const)
    expect(existsSync(join(DATA_DIR, 'files', key.slice(0, 2), name))).toBe(true);
  await rename(`ltrim(unique_file_name, 'x')`);
  for (const key of [whole!, partial!]) rmSync(join(DATA_DIR, 'files', key.slice(0, 2)), { recursive: true });
});

const awayEnds =
  ': nothing was compared or swept. Mount their volume, or set DATA_DIR or S3_BUCKET as the service has it; if they are lost, restore a backup. (needs you)\n';

describe('files that are away are one finding, and others are mended', { timeout: 120_000 }, () => {
  const files = join(DATA_DIR, 'files');
  const [here, orphan, other] = [...'89f'].map((digit) => digit.repeat(32));
  beforeAll(async () => {
    for (const key of [here!, orphan!]) stored(key, 30);
    await client.query(
      `insert into attachment (name, unique_file_name, date, size, sha256, owner_id, general_id)
       select 'a', $1, now(), 5, 'other', 1, min(id) from general`,
      [here],
    );
  });
  afterAll(async () => {
    await client.query('delete from attachment where unique_file_name = $1', [here]);
    for (const key of [here!, orphan!]) rmSync(join(files, key.slice(0, 2)), { recursive: true });
  });

  it.each<[string, RegExp, () => void]>([
    ['nothing is in their place', /^files: None of the \d+ files that the database has is there: /, () => undefined],
    [
      'an empty mount point is',
      /^files: None of the \d+ files that the database has is there: /,
      () => mkdirSync(files),
    ],
    [
      'files of another database are',
      /^files: None of the \d+ files that the database has is there: /,
      () => stored(other!, 30),
    ],
    ['what is no directory is', /^files: The files cannot be listed \(ENOTDIR: /, () => writeFileSync(files, '')],
  ])('%s', async (_, begins, put) => {
    await client.query('drop index if exists ix_general_name_parts');
    renameSync(files, `${files}.away`);
    try {
      put();
      const before = existsSync(join(files, 'ff', other!));
      const { code, stdout, stderr } = await doctor('--fix', '--files');
      expect([code, stderr]).toEqual([3, '']);
      const lines = stdout.split(/(?<=\n)/);
      expect(lines).toEqual([
        'indexes: The index ix_general_name_parts of general is missing. (mended)\n',
        expect.stringMatching(begins),
      ]);
      expect(lines[1]!.endsWith(awayEnds)).toBe(true);
      expect(existsSync(join(files, 'ff', other!))).toBe(before);
    } finally {
      rmSync(files, { recursive: true, force: true });
      renameSync(`${files}.away`, files);
    }
    expect((await client.query('select from attachment where unique_file_name = $1', [here])).rowCount).toBe(1);
  });

  it('a bucket does not answer', async () => {
    await client.query('drop index if exists ix_general_name_parts');
    const bucket = { S3_BUCKET: 'files', S3_ENDPOINT: 'http://127.0.0.1:1', S3_ACCESS_KEY_ID: 'a' };
    const env = { DATABASE_URL: scratch.url, DATA_DIR, ...bucket, S3_SECRET_ACCESS_KEY: 'b' };
    expect(await command(env, ['doctor', '--fix'])).toEqual({
      code: 3,
      stdout: `indexes: The index ix_general_name_parts of general is missing. (mended)\nfiles: The files cannot be listed (connect ECONNREFUSED 127.0.0.1:1)${awayEnds}`,
      stderr: '',
    });
  });
});

it('reads files and compares them with their checksums where it is asked to', { timeout: 120_000 }, async () => {
  const [right, changed, older] = [...'abc'].map((digit) => digit.repeat(32));
  for (const key of [right!, changed!, older!]) stored(key, 30);
  const sum = (text: string): string => createHash('sha256').update(text).digest('hex');
  for (const [key, sha256] of [
    [right, sum('bytes')],
    [changed, sum('other')],
    [older, null],
  ])
    await client.query(
      `insert into attachment (name, unique_file_name, date, size, sha256, owner_id, general_id)
       select 'a', $1, now(), 5, $2, 1, min(id) from general`,
      [key, sha256],
    );
  expect(await doctor()).toMatchObject({ code: 0 });
  const { code, stdout } = await doctor('--files', '--json');
  expect([code, JSON.parse(stdout)]).toEqual([
    3,
    [
      {
        check: 'files',
        problem: expect.stringMatching(`^1 files have other bytes than came: attachment \\d+ .${changed}..$`),
        state: 'needs you',
      },
    ],
  ]);
  // It is read below another directory than it lies in.
  renameSync(join(DATA_DIR, 'files', 'aa', right!), join(DATA_DIR, 'files', 'bb', right!));
  expect((await doctor()).stdout).toMatch(/^files: The bytes of 1 files are missing: attachment \d+ .aaaa/);
  await client.query('delete from attachment where unique_file_name = any($1)', [[right, changed, older]]);
  for (const name of ['aa', 'bb', 'cc']) rmSync(join(DATA_DIR, 'files', name), { recursive: true, force: true });
  expect(await doctor('--files')).toMatchObject({ code: 0 });
});

it('reads no further where one file after the other cannot be read', { timeout: 120_000 }, async () => {
  const keys = Array.from({ length: 130 }, (_, at) => `dd${String(at).padStart(30, '0')}`);
  // A directory is there, and has no bytes.
  for (const key of keys) mkdirSync(join(DATA_DIR, 'files', 'dd', key), { recursive: true });
  await client.query(
    `insert into attachment (name, unique_file_name, date, size, sha256, owner_id, general_id)
     select 'a', k, now(), 5, k, 1, (select min(id) from general) from unnest($1::text[]) k order by k`,
    [keys],
  );
  const { code, stdout } = await doctor('--files');
  expect([code, stdout]).toEqual([
    3,
    expect.stringMatching(/100 files cannot be read, the last ones one after the other, so the rest was not read: /),
  ]);
  await client.query('delete from attachment where unique_file_name = any($1)', [keys]);
  rmSync(join(DATA_DIR, 'files', 'dd'), { recursive: true, force: true });
});

it('says that a schema is not current', { timeout: 60_000 }, async () => {
  const url = await emptyDatabase('doctor_of_nothing');
  const { code, stdout } = await command({ DATABASE_URL: url }, ['doctor', '--fix']);
  expect([code, stdout]).toEqual([
    3,
    'schema: The schema is not current: run "worktrack migrate", or start the service. (needs you)\n',
  ]);
});
