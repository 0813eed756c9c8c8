/** A team that is deleted works on nothing any more: its items go on with the teams they have besides. */
import type { Change, Removal, Work } from '../../command/change.js';
import { takeAlong } from '../../command/take-along.js';
import { badMember, onlyAdministrators } from '../../errors.js';
import type { ResourceType } from '../../model/model.js';
import { followTeams } from '../assignables/team-assignment-rules.js';

/** Teams lie in no project, so that membership of one gives no right to them. */
export function refuseOthers(changes: readonly Change[], { actor }: Work): void {
  if (actor.isAdministrator) return;
  const changed = changes.find(
    ({ values, command }) => Object.keys(values).length > 0 || command.customFields.length > 0,
  );
  if (changed) throw onlyAdministrators(`change ${changed.resource.collection}`);
}

export async function leaveItems(removals: readonly Removal[], work: Work, assignment: ResourceType): Promise<void> {
  const teams = removals.map(({ id }) => id);
  const left = await work.rows<{ item: number }>(
    'select distinct assignable_id as item from team_assignment where team_id = any($1::bigint[])',
    [teams],
  );
  await work.rows(forget, [teams]);
  await takeAlong(assignment, 'team', teams, work);
  if (left.length > 0) {
    await followTeams(
      left.map(({ item }) => item),
      work,
    );
  }
}

// Team iterations keep the team they belong to.
const forget = `update general set responsible_team_id = null, team_id = null where entity_type_id <> 24
  and (team_id = any($1::bigint[]) or responsible_team_id in (select id from team_assignment where team_id = any($1::bigint[])))`;

/** What a project may count on ends with the team's work on it. */
export async function dropAllocations(removals: readonly Removal[], { rows }: Work): Promise<void> {
  await rows('delete from team_project_allocation where team_project_id = any($1::bigint[])', [
    removals.map(({ id }) => id),
  ]);
}

/** The workflows of a team in a project are parts of those of the project's process. */
export async function checkWorkflows(changes: readonly Change[], { rows }: Work): Promise<void> {
  const sentWorkflows = changes.flatMap((change) => workflowsOf(change).map((id, at) => ({ change, id, at })));
  if (sentWorkflows.length === 0) return;
  const projects = sentWorkflows.map(({ change }) => projectOf(change));
  const workflows = await rows<{ project: number; workflow: number }>(
    `select p.id as project, w.id as workflow from general p join workflow w on w.process_id = p.process_id
     where w.parent_workflow_id is not null and (p.id, w.id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
    [projects, sentWorkflows.map(({ id }) => id)],
  );
  sentWorkflows.forEach(({ change, id, at }, n) => {
    if (workflows.some(({ project, workflow }) => project === projects[n] && workflow === id)) return;
    const why = "a team's workflow is a part of one of the project's process.";
    throw badMember(`${change.command.path}Workflows[${at}].Id`, why);
  });
}

/** Those of another process stay behind where a project gets another one, or a team works on another project. */
export function leaveWorkflows(changes: readonly Change[], { send }: Work): void {
  const written = changes.filter(({ isNew }) => !isNew);
  const ids = (kind: string, property: string) =>
    written.filter(({ resource, values }) => resource.name === kind && values[property]).map(({ id }) => id);
  const moved = [ids('TeamProject', 'project'), ids('Project', 'process')];
  if (moved.flat().length === 0) return;
  send(
    `delete from team_project_workflow l using team_project t, general p, workflow w
     where t.id = l.team_project_id and p.id = t.project_id and w.id = l.workflow_id
       and w.process_id is distinct from p.process_id and (t.id = any($1::bigint[]) or p.id = any($2::bigint[]))`,
    moved,
  );
}

const projectOf = ({ values, before }: Change): number =>
  (values.project as { id: number } | undefined)?.id ?? (before?.project_id as number | undefined) ?? 0;

const workflowsOf = ({ command }: Change): number[] =>
  command.collections
    .filter(({ field }) => field.name === 'Workflows')
    .flatMap(({ items }) => items.flatMap(({ id }) => id ?? []));
