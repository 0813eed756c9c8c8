/** States, priorities and units as the process of an item's project has them. */
import type { Change } from '../../command/change.js';
import { badMember } from '../../errors.js';
import { projectOf } from '../generals/general-rules.js';

interface State {
  id: number;
  is_final: boolean;
}

/** Sets the initial state on create; checks that a sent state belongs to the workflow of the item's process and kind. */
export async function stateRule(change: Change): Promise<void> {
  const said = change.values.entityState as { id?: number; name?: string } | null | undefined;
  if (said === undefined && !change.isNew) return;
  if (said === null) throw badMember('EntityState', 'a value is required.');
  const found = await change.manager.query(
    `select s.id, s.is_final from entity_state s
     join workflow w on w.id = s.workflow_id and w.parent_workflow_id is null
     where s.process_id = $1 and s.entity_type_id = $2
       and case when $3::int is not null then s.id = $3 when $4::text is not null then lower(s.name) = lower($4) else s.is_initial end`,
    [await processOf(change), change.resource.settings.entityTypeId, said?.id ?? null, said?.name ?? null],
  );
  const state = found.length === 1 ? (found[0] as State) : undefined;
  if (!state && said) throw badMember('EntityState', 'the state is not one of the workflow of this item.');
  if (!state) return;
  change.values.entityState = { id: state.id };
  change.values.lastStateChangeDate = change.now;
}

/** The default priority of the kind; without a default, the least important. Names stand for ids. */
export async function priorityRule(change: Change): Promise<void> {
  const said = change.values.priority as { id?: number; name?: string } | null | undefined;
  if (said === null || (said === undefined && !change.isNew)) return;
  const [row] = await change.manager.query(
    `select id from priority where entity_type_id = $1
       and ($2::int is null or id = $2) and ($3::text is null or lower(name) = lower($3))
     order by is_default desc, importance desc, id limit 1`,
    [change.resource.settings.entityTypeId, said?.id ?? null, said?.name ?? null],
  );
  if (!row && said) throw badMember('Priority', 'the priority is not one of this kind of item.');
  if (row) change.values.priority = { id: row.id };
}

export async function severityRule(change: Change): Promise<void> {
  const said = change.values.severity as { id?: number; name?: string } | null | undefined;
  if (said === null || (said === undefined && !change.isNew) || said?.id !== undefined) return;
  const [row] = await change.manager.query(
    `select id from severity where $1::text is null or lower(name) = lower($1)
     order by is_default desc, importance desc, id limit 1`,
    [said?.name ?? null],
  );
  if (!row && said) throw badMember('Severity', 'there is no such severity.');
  if (row) change.values.severity = { id: row.id };
}

async function processOf(change: Change): Promise<number | null> {
  const own = change.values.process as { id: number } | undefined;
  if (change.resource.name === 'Project' && own) return own.id;
  const project = change.resource.name === 'Project' ? change.id : await projectOf(change);
  const [row] = await change.manager.query('select process_id from general where id = $1', [project ?? 0]);
  if (row) return row.process_id;
  // What lies in no project follows the default process.
  const [standard] = await change.manager.query('select id from process where is_default order by id limit 1');
  return standard?.id ?? null;
}
