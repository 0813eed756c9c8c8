/**
 * Works all totals out anew in a transaction that is rolled back, and counts the items whose totals differ. Writers
 * wait meanwhile, and while a lock is waited for: so that is briefly, and again after a pause that lets them through.
 */
import type { DataSource } from 'typeorm';
import type { DatabaseClient } from '../database/client.js';
import { type Patience, patience } from '../database/migrate.js';
import { untimedTransaction } from '../database/session.js';
import { StartError } from '../server/start-failure.js';
import { type Finding, forPeople } from './finding.js';
import { lockedOut, patiently } from './patiently.js';

const notTotals = `array['entity_version', 'modify_date', 'last_editor_id']`;
const totals = `select id, md5((to_jsonb(g) - ${notTotals})::text) as sum from general g`;

export async function checkTotals(dataSource: DataSource, limits = patience): Promise<Finding[]> {
  const findings = await patiently(limits, () => compare(dataSource, limits));
  return findings ?? [forPeople('totals', lockedOut(limits))];
}

/** On a connection of its own, which nobody else uses meanwhile. */
export async function mendTotals(client: Pick<DatabaseClient, 'query'>, limits = patience): Promise<void> {
  const isDone = await patiently(limits, async () => {
    try {
      await client.query('begin isolation level read committed');
      await lockTotals((text) => client.query(text), limits);
      await client.query('select recompute_totals()');
      await client.query('commit');
      return true;
    } catch (error) {
      await client.query('rollback').catch(() => undefined);
      throw error;
    }
  });
  if (!isDone) throw new StartError(`The totals were not mended. ${lockedOut(limits)}`);
}

/**
 * These locks alone are waited for briefly: what follows takes long, and would be done again. Longer than the second
 * after which PostgreSQL ends an autovacuum that is in the way.
 */
async function lockTotals(ask: (text: string) => Promise<unknown>, { lockTimeoutMs }: Patience): Promise<void> {
  await ask(`select ${untimedTransaction}`);
  await ask(`set local lock_timeout = ${lockTimeoutMs}`);
  await ask('lock table general, role_effort, "time", span_delta in share row exclusive mode');
  await ask('set local lock_timeout = 0');
}

async function compare(dataSource: DataSource, limits: Patience): Promise<Finding[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await runner.startTransaction('READ COMMITTED');
    // What others write in between would count as a difference.
    await lockTotals((text) => runner.query(text), limits);
    // What is noted for projects, releases and iterations is theirs: it is no difference.
    await runner.query(`select fold_spans(array(select distinct span_id from span_delta))`);
    await runner.query(`create temp table totals_before on commit drop as ${totals}`);
    await runner.query('select recompute_totals()');
    const [{ count }] = await runner.query(
      `select count(*)::int as count from (${totals}) n join totals_before b using (id) where n.sum <> b.sum`,
    );
    if (count === 0) return [];
    return [
      { check: 'totals', problem: `The totals of ${count} items are wrong.`, mends: [(client) => mendTotals(client)] },
    ];
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}
