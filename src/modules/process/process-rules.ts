/**
 * A process starts as the default one is set up, so that items can be created in its projects at once; it goes with all
 * it holds.
 */
import type { Change, Removal, Work } from '../../command/change.js';
import { takeAlong } from '../../command/take-along.js';
import { forbidden } from '../../errors.js';
import type { Model } from '../../model/model.js';
import { named, refuseUsed } from './in-use-rules.js';

/** Kinds whose workflow is sent get no other; practices that are sent are all there are. */
export async function completeProcesses(
  changes: readonly Change[],
  { rows }: Work,
  model: number | undefined,
): Promise<void> {
  const created = changes.filter(({ isNew }) => isNew);
  if (created.length === 0 || model === undefined) return;
  const ids = created.map(({ id }) => id!);
  const own = created.flatMap((change) => kindsSent(change).map((kind) => [change.id!, kind] as const));
  await rows(copyWorkflows, [ids, model, own.map(([id]) => id), own.map(([, kind]) => kind)]);
  await rows(copyTerms, [ids, model]);
  const plain = created.filter((change) => !sent(change, 'Practices')).map(({ id }) => id!);
  if (plain.length > 0) await rows(copyPractices, [plain, model]);
}

export async function removeProcesses(removals: readonly Removal[], work: Work, model: Model): Promise<void> {
  const kept = removals.find(({ before }) => before.is_default === true);
  if (kept)
    throw forbidden(
      `${named(kept.path)}Could not delete the default process; make another one the default first.`,
      'InUse',
    );
  await refuseUsed(removals, work);
  const ids = removals.map(({ id }) => id);
  for (const kind of ['CustomField', 'Term', 'EntityState', 'Workflow'])
    await takeAlong(model.resource(kind), 'process', ids, work);
}

const sent = ({ command }: Change, name: string) => command.collections.find(({ field }) => field.name === name);

const kindsSent = (change: Change): number[] =>
  (sent(change, 'Workflows')?.items ?? []).flatMap(({ references }) =>
    references.flatMap(({ field, to }) => (field.name === 'EntityType' && to.kind === 'id' ? [to.id] : [])),
  );

// Ids are taken before anything is inserted, so that steps find the copies of the states they join.
const copyWorkflows = `
with flows as (
  select w.id as old, nextval('workflow_id_seq') as id, p.id as process_id, w.name, w.entity_type_id
  from unnest($1::bigint[]) as p(id) join workflow w on w.process_id = $2::bigint and w.parent_workflow_id is null
  where not exists (select 1 from unnest($3::bigint[], $4::bigint[]) as own(process, kind)
    where own.process = p.id and own.kind = w.entity_type_id)
  order by p.id, w.id
), states as (
  select s.id as old, nextval('entity_state_id_seq') as id, f.id as workflow_id, f.process_id, f.entity_type_id,
    s.name, s.is_initial, s.is_final, s.is_default_final, s.is_planned,
    s.is_comment_required, s.role_id
  from flows f join entity_state s on s.workflow_id = f.old order by f.id, s.numeric_priority, s.id
), made_flows as (
  insert into workflow (id, name, process_id, entity_type_id) select id, name, process_id, entity_type_id from flows
), made_states as (
  insert into entity_state (id, numeric_priority, workflow_id, process_id, entity_type_id, name, is_initial, is_final,
    is_default_final, is_planned, is_comment_required, role_id)
  select id, id, workflow_id, process_id, entity_type_id, name, is_initial, is_final, is_default_final, is_planned,
    is_comment_required, role_id
  from states
)
insert into entity_state_step (from_id, to_id)
select f.id, t.id from states f join entity_state_step x on x.from_id = f.old
  join states t on t.old = x.to_id and t.workflow_id = f.workflow_id`;

const copyTerms = `insert into term (word_key, value, process_id, entity_type_id)
  select t.word_key, t.value, p.id, t.entity_type_id from unnest($1::bigint[]) as p(id) join term t on t.process_id = $2::bigint
  order by p.id, t.id`;

const copyPractices = `insert into process_practice (process_id, practice_id)
  select p.id, l.practice_id from unnest($1::bigint[]) as p(id) join process_practice l on l.process_id = $2::bigint
  on conflict do nothing`;
