/** What became of a transaction, as the database tells it; and connections that are left in one. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { bringUpToDate } from '../../src/database/migrate.js';
import { DatabasePool } from '../../src/database/pool.js';
import { TransactionConnection } from '../../src/database/transaction-connection.js';
import { outcomeOf, type Transaction } from '../../src/database/transaction-outcome.js';
import { timelineOfPrimary } from '../../src/database/wal-position.js';
import { notFound } from '../../src/errors.js';
import { answerWithin } from '../../src/http/transaction.js';
import { type Late, Reader } from '../../src/query/reader.js';
import { OwnPostgres } from '../support/own-postgres.js';
import { forward, ProtocolProxy } from '../support/protocol-proxy.js';

let pool: pg.Pool;
let proxy: ProtocolProxy;
/** Has one connection, by way of the proxy. */
let narrow: DatabasePool;

beforeAll(async () => {
  const url = inject('databaseUrl');
  pool = new pg.Pool({ connectionString: url, max: 2 });
  // A beginning asks for the version of the set-up.
  await pool.query('create table set_up_version (version bigint)');
  proxy = await ProtocolProxy.start(url);
  const connectionString = proxy.urlOf(new URL(url).pathname.slice(1));
  narrow = new DatabasePool({ connectionString, settings: {}, max: 1 });
});

afterAll(async () => {
  await narrow.end();
  await pool.query('drop table set_up_version');
  await pool.end();
  await proxy.stop();
});

beforeEach(() => {
  proxy.decide = () => forward;
});

const processOf = async (): Promise<number> => (await narrow.query('select pg_backend_pid() as pid')).rows[0].pid;

async function begun(client: pg.ClientBase): Promise<string> {
  await client.query('begin');
  return (await client.query('select pg_current_xact_id() as id')).rows[0].id;
}

const author = { userId: 1, requestId: 'test' };

describe('an outcome', () => {
  it.each([
    ['commit', 'committed'],
    ['rollback', 'aborted'],
  ])('of a %s is %s', async (end, outcome) => {
    const client = await pool.connect();
    const id = await begun(client);
    const now = new Date();
    await client.query(end);
    client.release();
    expect(await outcomeOf({ id, timeline: '00000001', now }, pool)).toBe(outcome);
  });

  it('of a transaction that the server still holds is made: it is ended', { timeout: 30_000 }, async () => {
    const holder = new pg.Client(inject('databaseUrl'));
    const ended = new Promise((resolve) => holder.on('error', resolve));
    await holder.connect();
    const id = await begun(holder);
    const now = new Date();
    expect(await outcomeOf({ id, timeline: '00000001', now }, pool, 20_000)).toBe('aborted');
    expect(await ended).toMatchObject({ code: '57P01' });
  });

  it('that is not to be had is undefined, soon', async () => {
    const now = new Date();
    const nowhere = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/none' });
    expect(await outcomeOf({ id: '1000', timeline: '00000001', now }, nowhere, 100)).toBeUndefined();
    expect(await outcomeOf({ id: String(2n ** 60n), timeline: '00000001', now }, pool, 100)).toBeUndefined();
  });
});

describe('an outcome behind a crash of the server', { timeout: 120_000 }, () => {
  let server: OwnPostgres;
  let early: pg.Client;
  let late: pg.Pool;
  let lost: Transaction;
  let stored: Transaction;

  const open = async (): Promise<Transaction> => {
    const timeline = `select ${timelineOfPrimary} as timeline, now() as now`;
    return { id: await begun(early), ...(await early.query(timeline)).rows[0] };
  };

  beforeAll(async () => {
    server = await OwnPostgres.start();
    await bringUpToDate({ databaseUrl: server.url, timeZone: 'UTC', isShared: false });
    early = new pg.Client(server.url);
    early.on('error', () => undefined);
    await early.connect();
    stored = await open();
    await early.query("insert into change_record (kind, resource, entity_id, changes) values ('Add', 'Tag', 1, '{}')");
    await early.query('commit');
    lost = await open();
    await server.end('SIGKILL');
    await server.begin();
    late = new pg.Pool({ connectionString: server.url, max: 1 }).on('error', () => undefined);
    // Others are given its number.
    for (let at = 0; at < 5; at += 1) await late.query('select pg_current_xact_id()');
  }, 120_000);
  afterAll(async () => {
    await late.end();
    await early.end().catch(() => undefined);
    await server.stop();
  });

  it('is that of the transaction itself where it changed something', async () => {
    expect(await outcomeOf(stored, late, 1000)).toBe('committed');
  });

  it('is not that of another transaction which was given its number', async () => {
    const status = await late.query('select pg_xact_status($1::xid8) as status', [lost.id]);
    expect(status.rows).toEqual([{ status: 'committed' }]);
    expect(await outcomeOf(lost, late, 1000)).toBeUndefined();
  });
});

describe('a connection', () => {
  it('is used again behind a transaction that was rolled back', async () => {
    const before = await processOf();
    const transaction = await TransactionConnection.begin(narrow, author);
    await expect(transaction.writing.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await expect(transaction.writing.query('select 1')).rejects.toMatchObject({ code: '22012' });
    await transaction.rollback();
    await expect(transaction.reading.query('select 1')).rejects.toMatchObject({ code: '22012' });
    expect(await processOf()).toBe(before);
  });

  it('sends nothing that writes behind a begin that fails', async () => {
    const asked: string[] = [];
    proxy.decide = ({ text }) => {
      asked.push(text);
      return text.startsWith('begin') ? { kind: 'refuse', code: '08P01', status: 'I' } : forward;
    };
    const transaction = await TransactionConnection.begin(narrow, author);
    const read = transaction.reading.query('select 1 as read');
    const written = transaction.writing.query('select 2 as written');
    await expect(written).rejects.toMatchObject({ code: '08P01' });
    await read.catch(() => undefined);
    await transaction.rollback();
    expect(asked).toEqual([expect.stringMatching(/^begin/), 'select 1 as read']);
  });

  const tooLong = `do $$ begin raise exception using errcode = 'WT001'; end $$`;
  const failWith = (code: string) => ({ code: expect.stringMatching(code) });

  it.each([
    ['goes on behind an attempt that fails as expected', tooLong, ['kept', 'after']],
    ['goes on behind an attempt that succeeds', 'select 1', ['kept', 'after']],
    ['does not behind one that fails otherwise', 'select 1 / 0', []],
  ])('%s', async (_, read, stored) => {
    await narrow.query('create temp table if not exists written (what text); truncate written');
    const transaction = await TransactionConnection.begin(narrow, author);
    await transaction.writing.query("insert into written values ('kept')");
    const isExpected = (error: unknown) => (error as { code?: string }).code === 'WT001';
    await transaction.attempt(() => transaction.reading.query(read), isExpected).catch(() => undefined);
    const after = transaction.writing.query("insert into written values ('after')");
    await (stored.length > 0
      ? after.then(() => transaction.commit())
      : expect(after).rejects.toMatchObject(failWith('22012')));
    if (stored.length > 0) transaction.release();
    else await transaction.rollback();
    expect((await narrow.query('select what from written')).rows.map(({ what }) => what)).toEqual(stored);
  });

  it.each([
    ['is seen', async () => true, 'brief'],
    ['would be out of sight', () => Promise.reject(notFound('Bug', 1)), 'NotFound'],
  ])('answers briefly where what it wrote %s, once the whole cannot be read', async (_, mustBeSeen, outcome) => {
    const transaction = await TransactionConnection.begin(narrow, author);
    await transaction.begun;
    const read = async () => String(await transaction.reading.query(tooLong));
    const answer = answerWithin(transaction, { read, brief: () => 'brief', mustBeSeen });
    expect(await answer.catch(({ status }) => status)).toBe(outcome);
    await transaction.rollback();
  });

  it('is closed where a reading that is planned for its values leaves it in a transaction', async () => {
    const late: Late = {
      actor: { userId: 1, isAdministrator: true, isObserver: false, isReadOnly: false, projectIds: [], teamIds: [] },
      base: '',
    };
    const before = await processOf();
    proxy.decide = ({ text }) => (text === 'commit' ? { kind: 'refuse', code: 'XX000', status: 'T' } : forward);
    const reading = new Reader({ preparedStatements: false, planBytes: 0 }).rows(
      { text: 'select 1', parameters: [], isPlannedEachTime: true },
      late,
      narrow,
    );
    await expect(reading).rejects.toThrow('within a transaction');
    expect(await processOf()).not.toBe(before);
  });
});
