/** Teams of work items: the responsible one follows the assignments; the deprecated Team stands for the only one. */
import { type Change, commandFor, referenced, refuse, sentItems, visibleIds, type Work } from '../../command/change.js';
import type { Command } from '../../command/command.js';
import { onlyRead } from '../../command/give-way.js';
import { mergeRecords } from '../../command/merge-records.js';
import type { ResourceType } from '../../model/model.js';

/** Setting `Team` assigns it in place of all others; clearing it assigns none. */
export async function teamRules(changes: readonly Change[], work: Work): Promise<void> {
  await refuseOthers(changes, work);
  for (const change of changes) {
    const team = referenced(change, 'team');
    // One that is there and is sent with it is of that team.
    if (team === undefined || assignmentsById(change).length > 0) continue;
    assign(change, 'Team', team);
  }
}

/** What names another team beside a `Team` that is set. Assignments that were only read give way to it. */
async function refuseOthers(changes: readonly Change[], work: Work): Promise<void> {
  const sent = changes.filter(setsTeam).flatMap((change) => assignmentsSent(change).map((item) => ({ change, item })));
  if (sent.length === 0) return;
  const rows = await work.rows('select * from team_assignment where id = any($1::bigint[])', [
    sent.flatMap(({ item }) => item.id ?? []),
  ]);
  const stored = new Map(rows.map((row) => [row.id, row]));
  const others = sent.filter(
    ({ change, item }) => (teamSent(item) ?? stored.get(item.id)?.team_id) !== referenced(change, 'team'),
  );
  const read = await onlyRead(
    others.map(({ item }) => ({ command: item, before: stored.get(item.id) })),
    work,
  );
  for (const { change, item } of others) {
    if (!read.has(item) || stored.get(item.id)!.assignable_id !== change.id)
      throw refuse(change, 'Team', sayOther(referenced(change, 'team'), item));
    for (const { items } of change.command.collections) if (items.includes(item)) items.splice(items.indexOf(item), 1);
  }
}

/** To say nothing about a new item's is to leave it to its assignments. */
const setsTeam = ({ values, isNew }: Change): boolean => 'team' in values && !(isNew && values.team === null);

const assignmentsSent = ({ command }: Change): readonly Command[] =>
  command.collections.flatMap(({ field, items }) => (field.target.name === 'TeamAssignment' ? items : []));

const assignmentsById = (change: Change): number[] => assignmentsSent(change).flatMap(({ id }) => id ?? []);

function teamSent({ references }: Command): number | undefined {
  const to = references.find(({ field }) => field.writesTo === 'team')?.to;
  return to?.kind === 'id' ? to.id : undefined;
}

function sayOther(team: number | undefined, { path }: Command): string {
  const item = path.slice(0, -1);
  return team === undefined
    ? `null takes all teams away, and ${item} names one; send either.`
    : `it takes the place of all other teams, and ${item} names another one; send either.`;
}

/** Beside what is sent; a team that is assigned already is assigned once. */
function assign(change: Change, member: string, team: number): void {
  const { field, items } = sentItems(change, 'AssignedTeams');
  items.push(commandFor(field.target, `${change.command.path}${member}.`, { Team: team }));
}

/** What is worked on in an iteration of a team is assigned to that team, as far as the writer sees it. */
export async function teamsOfIterations(changes: readonly Change[], team: ResourceType, work: Work): Promise<void> {
  const planned = changes.filter((change) => referenced(change, 'teamIteration') !== undefined);
  if (planned.length === 0) return;
  const rows = await work.rows<{ iteration: number; own: number }>(
    'select id as iteration, team_id as own from general where id = any($1::bigint[]) and team_id is not null',
    [planned.map((change) => referenced(change, 'teamIteration'))],
  );
  const teams = new Map(rows.map(({ iteration, own }) => [iteration, own]));
  const seen = await visibleIds(team, [...teams.values()], work);
  for (const change of planned) {
    const own = teams.get(referenced(change, 'teamIteration')!);
    if (own !== undefined && seen.has(own)) assign(change, 'TeamIteration', own);
  }
}

/** Before the assignments of this request are stored: the team that was set takes the place of the others. */
export async function responsibleTeams(changes: readonly Change[], work: Work): Promise<void> {
  const { send } = work;
  const set = changes.filter(({ isNew, values }) => !isNew && 'team' in values);
  if (set.length > 0) {
    const pairs = [set.map(({ id }) => id), set.map((change) => referenced(change, 'team') ?? null)];
    const kept = set.flatMap(assignmentsById);
    send(forgetResponsible, [...pairs, kept]);
    send(replaceTeams, [...pairs, kept]);
    mergeRecords('general', pairs[0] as number[], work);
  }
  const moved = changes.filter(({ isNew, values }) => !isNew && 'entityState' in values);
  if (moved.length > 0)
    send(moveTeams, [moved.map(({ id }) => id), moved.map((change) => referenced(change, 'entityState'))]);
}

const forgetResponsible = `update general g set responsible_team_id = null from unnest($1::bigint[], $2::bigint[]) as u(id, team)
  where g.id = u.id and responsible_team_id in
    (select a.id from team_assignment a
     where a.assignable_id = u.id and a.team_id is distinct from u.team and a.id <> all($3::bigint[]))`;

const replaceTeams = `delete from team_assignment a using unnest($1::bigint[], $2::bigint[]) as u(id, team)
  where a.assignable_id = u.id and a.team_id is distinct from u.team and a.id <> all($3::bigint[])`;

/**
 * Teams without a workflow of their own are in the state of the item; others in the first of theirs that belongs to it.
 */
const moveTeams = `update team_assignment a set entity_state_id = u.state from unnest($1::bigint[], $2::bigint[]) as u(id, state)
  where a.assignable_id = u.id and a.entity_state_id is distinct from u.state
    and not exists (select 1 from entity_state s where s.id = a.entity_state_id and s.parent_entity_state_id = u.state)`;
