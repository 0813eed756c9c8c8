/**
 * Works all totals out anew in a transaction that is rolled back, and counts the items whose totals differ. Writers
 * wait meanwhile.
 */
import type { DataSource } from 'typeorm';
import { untimedTransaction } from '../database/session.js';
import type { Finding } from './finding.js';

const notTotals = `array['row_version', 'modify_date', 'last_editor_id']`;
const totals = `select id, md5((to_jsonb(g) - ${notTotals})::text) as sum from general g`;

export async function checkTotals(dataSource: DataSource): Promise<Finding[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.connect();
    await runner.startTransaction('READ COMMITTED');
    await runner.query(`select ${untimedTransaction}`);
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
