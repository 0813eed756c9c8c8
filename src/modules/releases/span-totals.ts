/**
 * The totals of projects, releases and iterations are what is stored with them and what they have gained since
 * (`span_delta`), so that many may write into one at once. What is deleted gains nothing.
 */
import { type RowExpression, type Sql, sql } from '../../sql.js';

type Row = Parameters<RowExpression>[0];

/** An aggregate of all that was gained. */
const gained = (row: Row, aggregate: Sql): Sql =>
  sql`(select ${aggregate} from span_delta d where d.span_id = ${row('id')} and ${row('delete_date')} is null)`;

const total =
  (column: string, gain: Sql): RowExpression =>
  (row) =>
    sql`${row(column)} + coalesce(${gained(row, sql`sum(${gain})`)}, 0)`;

const share = (
  row: Row,
): Sql => sql`(select case when w.effort > 0 then round(least(w.completed / w.effort, 1), 4) else 0.0000 end
    from (select ${row('effort')} + sum(d.effort) as effort, ${row('effort_completed')} + sum(d.effort_completed) as completed) w)`;

const progress =
  (isDone: (row: Row) => Sql): RowExpression =>
  (row) =>
    gained(
      row,
      sql`case when count(*) = 0 then ${row('progress')} when ${isDone(row)} then 1.0000 else ${share(row)} end`,
    );

/** For `readAs` of a resource. Each gain is a change of the span. */
export const spanTotals = {
  effort: total('effort', sql`d.effort`),
  effortCompleted: total('effort_completed', sql`d.effort_completed`),
  effortToDo: total('effort_to_do', sql`d.effort - d.effort_completed`),
  progress: progress(() => sql`false`),
  entityVersion: (row: Row) => sql`${row('entity_version')} + ${gained(row, sql`count(*)`)}`,
} satisfies Readonly<Record<string, RowExpression>>;

/** A project in a final state is done. */
export const projectTotals = {
  ...spanTotals,
  progress: progress((row) => sql`(select e.is_final from entity_state e where e.id = ${row('entity_state_id')})`),
};
