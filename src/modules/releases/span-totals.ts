/**
 * The totals of projects, releases and iterations are what is stored with them and what they have gained since (`span_delta`), so that many
 * may write into one at once. What is deleted gains nothing.
 */
import type { RowExpression } from '../../model/model.js';
import { type Sql, sql } from '../../sql.js';

type Row = Parameters<RowExpression>[0];

const whileLive = (row: Row, stored: Sql, live: Sql): Sql =>
  sql`case when ${row('delete_date')} is null then ${live} else ${stored} end`;

const from = (row: Row): Sql => sql`from span_delta where span_delta.span_id = ${row('id')}`;

const gained = (row: Row, column: 'effort' | 'effort_completed'): Sql =>
  sql`greatest(${row(column)} + coalesce(sum(span_delta.${column === 'effort' ? sql`effort` : sql`effort_completed`}), 0), 0.0000)`;

const total =
  (column: 'effort' | 'effort_completed'): RowExpression =>
  (row) =>
    whileLive(row, row(column), sql`(select ${gained(row, column)} ${from(row)})`);

const toDo: RowExpression = (row) =>
  whileLive(
    row,
    row('effort_to_do'),
    sql`(select ${gained(row, 'effort')} - ${gained(row, 'effort_completed')} ${from(row)})`,
  );

/** Of what is planned, as far as nothing ends a span before. */
const share = (row: Row): Sql =>
  sql`(select case when g.effort > 0 then round(least(g.completed / g.effort, 1), 4) else 0.0000 end from (
    select ${gained(row, 'effort')} as effort, ${gained(row, 'effort_completed')} as completed ${from(row)}) g)`;

const progress: RowExpression = (row) => whileLive(row, row('progress'), share(row));

/** A project in a final state is done. */
const progressOfProject: RowExpression = (row) =>
  whileLive(
    row,
    row('progress'),
    sql`case when (select e.is_final from entity_state e where e.id = ${row('entity_state_id')}) then 1.0000 else ${share(row)} end`,
  );

/** Each gain is a change of the span. */
const version: RowExpression = (row) =>
  whileLive(row, row('entity_version'), sql`${row('entity_version')} + (select count(*) ${from(row)})`);

/** For `readAs` of a resource. */
export const spanTotals: Readonly<Record<string, RowExpression>> = {
  effort: total('effort'),
  effortCompleted: total('effort_completed'),
  effortToDo: toDo,
  progress,
  entityVersion: version,
};

export const projectTotals = { ...spanTotals, progress: progressOfProject };
