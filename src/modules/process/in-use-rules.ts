/** Configuration that something refers to, deleted items included, cannot be deleted: the refusal names that. */
import type { Removal, Work } from '../../command/change.js';
import { forbidden } from '../../errors.js';

export async function refuseUsed(removals: readonly Removal[], { rows }: Work): Promise<void> {
  const use = uses[removals[0]!.resource.name];
  if (!use) return;
  const [used] = await rows<{ id: number; kind: string }>(use.text, [removals.map(({ id }) => id)]);
  if (!used) return;
  const { path } = removals.find(({ id }) => id === used.id)!;
  throw forbidden(`${named(path)}Could not delete ${use.noun} which already associated with ${used.kind}`, 'InUse');
}

/** In a bulk body the item is named. */
export const named = (path: string): string => (path === '' ? '' : `${path}Id: `);

const items = (column: string): string =>
  `(select t.name from general x join entity_type t on t.id = x.entity_type_id where x."${column}" = u.id limit 1)`;

const rowsOf = (kind: string, table: string, column: string): string =>
  `(select '${kind}' from "${table}" x where x."${column}" = u.id limit 1)`;

/** Items in a state that is one of those of the workflow or process. */
const itemsInStates = (column: string): string =>
  `(select t.name from entity_state s join general x on x.entity_state_id = s.id
     join entity_type t on t.id = x.entity_type_id where s."${column}" = u.id limit 1)`;

interface Use {
  noun: string;
  text: string;
}

const use = (noun: string, ...by: string[]): Use => ({
  noun,
  text: `select u.id, x.kind from unnest($1::bigint[]) with ordinality as u(id, n)
    cross join lateral (select kind from (${by.join(' union all ')}) as used(kind) limit 1) x order by u.n limit 1`,
});

const uses: Record<string, Use | undefined> = {
  Priority: use('priority', items('priority_id'), rowsOf('TestCaseRun', 'test_case_run', 'priority_id')),
  Severity: use('severity', items('severity_id')),
  RequestType: use('request type', items('request_type_id')),
  Company: use('company', items('company_id'), rowsOf('Requester', 'general_user', 'company_id')),
  Process: use('process', items('process_id'), itemsInStates('process_id')),
  Workflow: use(
    'workflow',
    itemsInStates('workflow_id'),
    `(select 'TeamAssignment' from entity_state s join team_assignment x on x.entity_state_id = s.id
       where s.workflow_id = u.id limit 1)`,
    rowsOf('Workflow', 'workflow', 'parent_workflow_id'),
    rowsOf('TeamProject', 'team_project_workflow', 'workflow_id'),
    // Without it, nothing of its kind could be created in these projects.
    `(select 'Project' from workflow w join general x on x.process_id = w.process_id
       where w.id = u.id and w.parent_workflow_id is null and x.delete_date is null limit 1)`,
  ),
  EntityState: use(
    'state',
    items('entity_state_id'),
    rowsOf('TeamAssignment', 'team_assignment', 'entity_state_id'),
    rowsOf('EntityState', 'entity_state', 'parent_entity_state_id'),
  ),
  Role: use(
    'role',
    rowsOf('EntityState', 'entity_state', 'role_id'),
    rowsOf('User', 'general_user', 'role_id'),
    rowsOf('ProjectMember', 'project_member', 'role_id'),
    rowsOf('TeamMember', 'team_member', 'role_id'),
    rowsOf('RoleEffort', 'role_effort', 'role_id'),
    rowsOf('Assignment', 'assignment', 'role_id'),
    rowsOf('Time', 'time', 'role_id'),
  ),
};
