/** Fills in the totals of effort, time and progress as the database keeps them, and those of the histories. */
import type { ClientBase } from 'pg';

export async function computeTotals(client: ClientBase): Promise<void> {
  await uncounted(client, ['select recompute_totals()', ...histories]);
}

/** Versions count the changes of the past, and none of these. */
export async function uncounted(client: ClientBase, statements: readonly string[]): Promise<void> {
  await client.query("select set_config('worktrack.versions', 'off', true)");
  for (const statement of statements) await client.query(statement);
  await client.query("select set_config('worktrack.versions', '', true)");
}

/** What holds now has today's sums; nothing was completed before, and custom fields were filled in at once. */
const histories = [
  `update full_history h set effort = g.effort, custom_values = g.custom_values,
     effort_completed = case when h.date_to > '9999-12-30' then g.effort_completed else 0 end,
     effort_to_do = case when h.date_to > '9999-12-30' then g.effort_to_do else g.effort end,
     time_spent = case when h.date_to > '9999-12-30' then g.time_spent else 0 end,
     time_remain = case when h.date_to > '9999-12-30' then g.time_remain else 0 end
   from general g where g.id = h.general_id`,
  `update simple_history s set effort = h.effort, effort_completed = h.effort_completed, effort_to_do = h.effort_to_do
   from full_history h where h.general_id = s.general_id and h.date = s.date and h.entity_state_id = s.entity_state_id`,
  // Every change counted once.
  `update general g set entity_version = h.n from (select general_id, count(*) n from full_history group by 1) h where h.general_id = g.id`,
];
