/**
 * Compares the indexes of the database with those that the migrations make: these are carried out in a schema of their
 * own, in a transaction that is rolled back. Indexes that somebody has added are left alone.
 */
import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { briefTransaction } from '../database/brief-transactions.js';
import { patience } from '../database/migrate.js';
import { migrations } from '../database/migrations/migrations.js';
import { untimedTransaction } from '../database/session.js';
import { StartError } from '../server/start-failure.js';
import type { Finding, Mend } from './finding.js';
import { lockedOut, patiently } from './patiently.js';

interface Index {
  readonly name: string;
  readonly table: string;
  readonly definition: string;
  readonly isValid: boolean;
  readonly isPartitioned: boolean;
}

/** Of this look alone: others may look at the same time. */
const newScratch = (): string => `worktrack_doctor_${randomBytes(6).toString('hex')}`;

export async function checkIndexes(dataSource: DataSource): Promise<Finding[]> {
  const [{ name: home }] = await dataSource.query('select current_schema()::text as name');
  const actual = await indexesOf(dataSource, home);
  const scratch = newScratch();
  const expected = await expectedIndexes(dataSource, scratch);
  const byName = new Map(actual.map((index) => [index.name, index]));
  return expected
    .filter(({ name }) => byName.get(name)?.isValid !== true)
    .map((index) => ({
      check: 'indexes',
      problem: `The index ${index.name} of ${index.table} is ${byName.has(index.name) ? 'invalid' : 'missing'}.`,
      mends: mendsOf(index, { home, scratch }),
    }));
}

/** Concurrently where that can be: the service goes on writing. */
function mendsOf(
  { name, definition, isPartitioned }: Index,
  { home, scratch }: { home: string; scratch: string },
): Finding['mends'] {
  const way = isPartitioned ? '' : 'concurrently ';
  const create = definition
    .replace(/^(CREATE (?:UNIQUE )?INDEX) /, `$1 ${way}`)
    .replace(` ON ONLY ${scratch}.`, ` ON ${scratch}.`)
    .replace(` ON ${scratch}.`, ` ON "${home}".`)
    .replaceAll(`${scratch}.`, '');
  const steps = [`drop index ${way}if exists "${home}"."${name}"`, create];
  return isPartitioned ? [(client) => replaceAtOnce(client, steps)] : steps;
}

/** Who writes waits while it is made, but not while others are waited for. */
async function replaceAtOnce(client: Parameters<Mend>[0], steps: readonly string[]): Promise<void> {
  const replace = async (): Promise<boolean> => {
    for (const step of steps) await client.query(step);
    return true;
  };
  if (!(await patiently(patience, () => briefTransaction(client, replace)))) throw new StartError(lockedOut(patience));
}

async function expectedIndexes(dataSource: DataSource, scratch: string): Promise<Index[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await runner.startTransaction('READ COMMITTED');
    await runner.query(`select ${untimedTransaction}`);
    await runner.query("set local lock_timeout = '2s'");
    await runner.query(`create schema ${scratch}`);
    // Nothing of the real one is within reach.
    await runner.query(`set local search_path = ${scratch}`);
    for (const Migration of migrations) await new Migration().up(runner);
    return await indexesOf(runner, scratch);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

/** Those of keys and constraints belong to these, and those of partitions come with their table. */
const indexesOf = (from: Pick<DataSource, 'query'>, schema: string): Promise<Index[]> =>
  from.query(
    `select c.relname::text as name, t.relname::text as table, pg_get_indexdef(c.oid) as definition, i.indisvalid as "isValid",
       c.relkind = 'I' as "isPartitioned"
     from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
     where c.relnamespace = $1::regnamespace and c.relkind in ('i', 'I') and not t.relispartition
       and not exists (select from pg_constraint k where k.conindid = c.oid) order by 1`,
    [schema],
  );
