/**
 * Works all totals out anew in a transaction that is rolled back, and counts the items whose totals differ. Writers
 * wait meanwhile, and while a lock is waited for: so that is briefly, and again after a pause that lets them through.
 */
import type { DataSource } from 'typeorm';
import { isLockedOut, type Patience, patience } from '../database/migrate.js';
import { untimedTransaction } from '../database/session.js';
import { type Finding, forPeople } from './finding.js';

const notTotals = `array['row_version', 'modify_date', 'last_editor_id']`;
const totals = `select id, md5((to_jsonb(g) - ${notTotals})::text) as sum from general g`;

export async function checkTotals(dataSource: DataSource, limits: Patience = patience): Promise<Finding[]> {
  for (let attempt = 1; attempt <= limits.attempts; attempt++) {
    if (attempt > 1) await limits.pause();
    try {
      return await compare(dataSource, limits.lockTimeoutMs);
    } catch (error) {
      if (!isLockedOut(error)) throw error;
    }
  }
  const problem = `They were given no lock in ${limits.attempts} attempts: end what writes to the database for long.`;
  return [forPeople('totals', problem)];
}

async function compare(dataSource: DataSource, lockTimeoutMs: number): Promise<Finding[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await runner.startTransaction('READ COMMITTED');
    await runner.query(`select ${untimedTransaction}`);
    await runner.query(`set local lock_timeout = ${lockTimeoutMs}`);
    // What others write in between would count as a difference.
    await runner.query('lock table general, role_effort, "time", span_delta in share row exclusive mode');
    // What is noted for projects, releases and iterations is theirs: it is no difference.
    await runner.query(`select fold_spans(array(select id from general where entity_type_id in (1, 2, 3, 24)))`);
    await runner.query(`create temp table totals_before on commit drop as ${totals}`);
    await runner.query('select recompute_totals()');
    const [{ count }] = await runner.query(
      `select count(*)::int as count from (${totals}) n join totals_before b using (id) where n.sum <> b.sum`,
    );
    if (count === 0) return [];
    return [
      { check: 'totals', problem: `The totals of ${count} items are wrong.`, mends: ['select recompute_totals()'] },
    ];
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}
