/**
 * Brings the database to the current schema, each migration in a transaction of its own. Replicas that start at once
 * take turns.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { ClientBase, PoolClient } from 'pg';
import type { DataSource, MigrationExecutor, QueryRunner } from 'typeorm';
import { type Advance, inLines, makeConcurrently, type WantedIndex } from './concurrent-index.js';
import {
  isLockRefusal,
  MigrationError,
  madeByNewerVersion,
  migrationFailed,
  migrationLockedOut,
  UnfitDatabaseError,
} from './migration-error.js';
import { Baseline1700000000100, isOf01, refuseBeforeLast01 } from './migrations/baseline.js';
import { IndexMigration } from './migrations/index-migration.js';
import { migrations } from './migrations/migrations.js';
import { RowsMigration } from './migrations/rows-migration.js';
import type { DatabaseAddress } from './open-client.js';
import type { PoolOptions } from './pool-config.js';
import { renewRows } from './renew-rows.js';
import { missingOf } from './server-needs.js';
import { untimedTransaction } from './session.js';

/** How long a migration waits for what others are using. */
export interface Patience {
  lockTimeoutMs: number;
  /** For each migration. */
  attempts: number;
  pause(): Promise<void>;
}

// Whoever waits for a lock keeps everybody waiting who comes later, readers too. So it is waited for briefly, and again
// after a pause that lets them through.
export const patience: Patience = { lockTimeoutMs: 2_000, attempts: 60, pause: () => wait(1_000) };

// Any number will do as long as nothing else uses it.
const lock = '33620408428065387';

/** Takes lines for the person who starts the service. */
export type Tell = (line: string) => void;

const silently: Tell = () => undefined;

export interface Target extends DatabaseAddress {
  readonly timeZone: string;
}

/**
 * Opens the database for the migrations alone: neither server nor driver ends a statement of theirs because it takes
 * long.
 */
export async function bringUpToDate(
  { databaseUrl, timeZone, isShared }: Target,
  tell = silently,
  advance?: Advance,
): Promise<string[]> {
  // TypeORM is long to load, so only those wait for it who need it.
  const { createDataSource } = await import('./data-source.js');
  const options = { timeZone, pool: 1, statementTimeoutMs: 0, isShared };
  const dataSource = await createDataSource(databaseUrl, options).initialize();
  try {
    return await migrate(dataSource, patience, { tell, isShared, advance });
  } finally {
    await dataSource.destroy();
  }
}

interface MigrateOptions {
  readonly tell?: Tell;
  readonly isShared?: boolean;
  /** Takes how far an index is; lines when not given. */
  readonly advance?: Advance;
}

/** What all steps need. */
interface Migrating {
  readonly executor: MigrationExecutor;
  readonly runner: QueryRunner;
  readonly limits: Patience;
  readonly tell: Tell;
  /** Takes who makes the schema of an empty database: of several that start at once it is one. */
  readonly tellOfNew: Tell;
  /** Once it is its turn: somebody may have restored an archive to what was empty. */
  readonly lookAgain: () => Promise<void>;
  readonly makeIndex: (index: WantedIndex) => Promise<void>;
  readonly renew: (migration: RowsMigration) => Promise<void>;
}

/** Names the migrations that this process has carried out. */
export async function migrate(
  dataSource: DataSource,
  limits = patience,
  { tell = silently, isShared = false, advance = inLines(tell) }: MigrateOptions = {},
): Promise<string[]> {
  // Most starts find a current schema and need none of TypeORM.
  const { MigrationExecutor } = await import('typeorm');
  const runner = dataSource.createQueryRunner();
  const executor = new MigrationExecutor(dataSource, runner);
  const executed = await untimed(runner, () => executor.getExecutedMigrations());
  refuseBeforeLast01(executed.map(({ name }) => name).reverse());
  let isNew = executed.length === 0;
  if (isNew) await mustHaveWhatIsNeeded(runner);
  const { databaseUrl } = (dataSource.options as unknown as { extra: PoolOptions }).extra;
  const place = { databaseUrl: databaseUrl!, isShared };
  const migrating: Migrating = {
    ...{ executor, runner, limits },
    tell: (line) => (isNew ? undefined : tell(line)),
    tellOfNew: tell,
    lookAgain: async () => {
      isNew &&= !(await hasItems(runner));
    },
    // Tables without rows have their indexes at once.
    makeIndex: async (index) => (isNew ? undefined : makeConcurrently(place, index, advance)),
    renew: async (migration) => (isNew ? undefined : renewRows(migration, place, limits, { advance, tell })),
  };
  const done: string[] = [];
  try {
    for (;;) {
      const name = await nextMigration(migrating);
      if (name === undefined) break;
      done.push(name);
    }
    return done;
  } finally {
    await runner.release();
  }
}

const seconds = (since: number): string => `${((performance.now() - since) / 1000).toFixed(1)} s`;

const othersTurn = Symbol('another process migrates');

/** Else a migration would fail with words that nobody understands. */
async function mustHaveWhatIsNeeded(runner: QueryRunner): Promise<void> {
  const [missing] = await missingOf((text) => runner.query(text));
  if (missing !== undefined) throw new UnfitDatabaseError(missing);
}

const hasItems = async (runner: QueryRunner): Promise<boolean> =>
  (await runner.query('select exists (select from general) as has'))[0].has;

/** Undefined: there is none left. */
async function nextMigration(migrating: Migrating): Promise<string | undefined> {
  const { tell } = migrating;
  const { attempts, pause } = migrating.limits;
  for (let refusals = 0; ; await pause()) {
    const began = performance.now();
    try {
      const name = await takeTurn(refusals === 0 ? migrating : { ...migrating, tell: silently, tellOfNew: silently });
      if (name !== othersTurn && name !== undefined) tell(`${name} took ${seconds(began)}.`);
      if (name !== othersTurn) return name;
    } catch (error) {
      if (!(error instanceof MigrationError) || !isLockedOut(error.cause)) throw error;
      if (refusals === 0) tell(`${error.migration} waits for what others are using.`);
      refusals += 1;
      if (refusals >= attempts) throw migrationLockedOut(error.migration, refusals, error.cause);
    }
  }
}

/**
 * Carries out `work` in a transaction whose statements may take their time. Nothing is set beyond the transaction, and
 * nobody waits for his turn within one: so it works through poolers as well.
 */
async function untimed<T>(runner: QueryRunner, work: () => Promise<T>): Promise<T> {
  // Between its statements it sees no state of the database, for which the making of an index would wait.
  await runner.startTransaction('READ COMMITTED');
  try {
    await runner.query(`select ${untimedTransaction}`);
    const result = await work();
    await runner.commitTransaction();
    return result;
  } catch (error) {
    // What brought us here counts, not what follows from it.
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  }
}

async function takeTurn(migrating: Migrating): Promise<string | undefined | typeof othersTurn> {
  const { runner, limits } = migrating;
  return untimed(runner, async () => {
    await runner.query(`set local lock_timeout = ${limits.lockTimeoutMs}`);
    const [{ is_ours: isOurs }] = await runner.query(`select pg_try_advisory_xact_lock(${lock}) as is_ours`);
    return isOurs ? runNext(migrating) : othersTurn;
  });
}

const namesOf = ({ connection }: QueryRunner): Named[] =>
  connection.migrations.map((one) => ({ name: one.name ?? one.constructor.name }));

async function runNext(migrating: Migrating): Promise<string | undefined> {
  const { executor, runner, tell, tellOfNew, lookAgain, makeIndex, renew } = migrating;
  const ours = namesOf(runner);
  const executed = await executor.getExecutedMigrations();
  const unknown = unknownOf(executed, ours);
  const [next] = await executor.getPendingMigrations();
  if (unknown) await refuseUnserved(unknown, ours, next === undefined, (text) => runner.query(text));
  if (!next) return undefined;
  if (executed.length === 0) tellOfNew('The database is empty: its schema is made.');
  else await lookAgain();
  tell(`${next.name} begins.`);
  try {
    if (next.instance instanceof IndexMigration) for (const index of next.instance.indexes) await makeIndex(index);
    if (next.instance instanceof RowsMigration) await renew(next.instance);
    await executor.executeMigration(next);
  } catch (error) {
    throw error instanceof MigrationError ? error : migrationFailed(next.name, error);
  }
  return next.name;
}

/** An error of TypeORM, or of the driver itself. */
export function isLockedOut(error: unknown): boolean {
  return isLockRefusal((error as { driverError?: unknown } | undefined)?.driverError ?? error);
}

/**
 * Whether nothing is left to do. Asked without TypeORM, so that most starts need not wait for it to learn all entities.
 */
export async function isCurrent(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query("select to_regclass('migration') is not null as known");
  if (!rows[0].known) return false;
  const { rows: done } = await client.query<Named>('select name from migration order by id desc');
  const names = new Set(done.map(({ name }) => name));
  const isComplete = migrations.every(({ name }) => names.has(name));
  if (!isComplete) refuseBeforeLast01([...names].reverse());
  const unknown = unknownOf(done, migrations);
  if (unknown) await refuseUnserved(unknown, migrations, isComplete, async (text) => (await client.query(text)).rows);
  return isComplete;
}

interface Named {
  readonly name: string;
}

/** What was done comes newest first. */
const unknownOf = (done: readonly Named[], ours: readonly Named[]): string | undefined =>
  done.find(({ name }) => !isOf01(name) && !ours.some((one) => one.name === name))?.name;

/**
 * A schema newer than this version may mean something else by what it seems to know, unless it serves versions that
 * know the migration it names: so an old and a new version run side by side while one takes the place of the other.
 * `isComplete`: all of ours are done.
 */
async function refuseUnserved(
  unknown: string,
  ours: readonly Named[],
  isComplete: boolean,
  ask: (text: string) => Promise<{ name: string | null }[]>,
): Promise<void> {
  const [place] = await ask(`select to_regclass('schema_compatibility')::text as name`);
  const [oldest] = place?.name ? await ask('select oldest as name from schema_compatibility') : [];
  const isServed = oldest?.name != null && (isOf01(oldest.name) || ours.some(({ name }) => name === oldest.name));
  if (!isComplete || !isServed) throw madeByNewerVersion(unknown);
}

/**
 * The migrations that make the schema of an archive, of those that were done in its database, oldest first. It is only
 * made and restored by a version that knows all of them.
 */
export function schemaOf(done: readonly string[]): ReadonlySet<string> {
  const unknown = unknownOf(
    [...done].reverse().map((name) => ({ name })),
    migrations,
  );
  if (unknown !== undefined) throw madeByNewerVersion(unknown);
  refuseBeforeLast01(done);
  return new Set(done.some(isOf01) ? [...done, Baseline1700000000100.name] : done);
}

interface Filling {
  before(client: PoolClient): Promise<void>;
  after(client: PoolClient): Promise<void>;
}

/**
 * Carries out the named migrations and what comes before and after them in one transaction. Whoever migrates meanwhile
 * waits for its end.
 */
export async function buildAndFill(
  { databaseUrl, timeZone, isShared }: Target,
  names: ReadonlySet<string>,
  { before, after }: Filling,
): Promise<void> {
  const { createDataSource } = await import('./data-source.js');
  const { MigrationExecutor } = await import('typeorm');
  const options = { timeZone, pool: 1, statementTimeoutMs: 0, isShared, pipeline: false };
  const dataSource = await createDataSource(databaseUrl, options).initialize();
  const runner = dataSource.createQueryRunner();
  try {
    const client: PoolClient = await runner.connect();
    await runner.startTransaction('READ COMMITTED');
    await runner.query(`select ${untimedTransaction}`);
    await runner.query(`select pg_advisory_xact_lock(${lock})`);
    await mustHaveWhatIsNeeded(runner);
    await before(client);
    const executor = new MigrationExecutor(dataSource, runner);
    for (const migration of await executor.getPendingMigrations())
      if (names.has(migration.name)) await executor.executeMigration(migration);
    await after(client);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
    await dataSource.destroy();
  }
}
