/** Rules of work items: what they take from their parents, their state, priority and dates, their teams and efforts. */
import { Injectable } from '@nestjs/common';
import {
  byDefault,
  type Change,
  columnOf,
  commandFor,
  current,
  type Removal,
  type Restoral,
  type Row,
  refersTo,
  refuse,
  type Work,
} from '../../command/change.js';
import type { Fact } from '../../command/facts.js';
import { mergeRecords } from '../../command/merge-records.js';
import { permitBeside } from '../../command/permit-places.js';
import { together } from '../../command/together.js';
import type { Model, ReferenceField, ResourceType } from '../../model/model.js';
import { generalDefaults, lieWithOwner, refuseEndBeforeStart } from '../generals/general-rules.js';
import { GeneralsService } from '../generals/generals.service.js';
import { customRules } from '../process/custom-rules.js';
import { dropEarlyEnd, hasOwnDates, severityRule, workflowRules } from '../process/workflow-rules.js';
import { keepAssigned } from './assigned-users.js';
import { completeRoles, effortRules } from './effort-rules.js';
import { newRequesters, privacyOfRequests } from './request-rules.js';
import { responsibleTeams, teamRules, teamsOfIterations } from './team-rules.js';

@Injectable()
export class AssignablesService extends GeneralsService {
  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    await lookForStories(changes, this.model.resource('UserStory'), work);
    for (const change of changes) inherit(change, work);
    generalDefaults(changes);
    const setup = await workflowRules(changes, work, this.processes);
    for (const change of changes) {
      const endsWhenDone = !hasOwnDates(change.resource);
      if (endsWhenDone) dropEarlyEnd(change, setup);
      refuseEndBeforeStart(change, { planned: endsWhenDone });
      byKind[change.resource.name]?.(change, setup);
    }
    if (changes[0]!.resource.name === 'Request') {
      newRequesters(changes, this.model.resource('Requester'));
      await privacyOfRequests(changes, work);
    }
    const assignables = changes.filter(({ resource }) => resource.base?.name === 'Assignable');
    await keepAssigned(assignables, work);
    await effortRules(assignables, work, setup);
    await teamRules(assignables, work);
    await teamsOfIterations(assignables, this.model.resource('Team'), work);
  }

  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    await super.afterSave(changes, work);
    const assignables = changes.filter(({ resource }) => resource.base?.name === 'Assignable');
    await moveParts(changes, this.model, work);
    const setup = await this.processes.setup(work);
    await together([completeRoles(assignables, work, setup), responsibleTeams(assignables, work)]);
    await customRules(changes, this.model.resource('UserStory'), setup, work);
  }

  /** A story takes its tasks along; a plan its runs. */
  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    await super.beforeDelete(removals, work);
    for (const [kind, column, parts] of takenAlong) {
      const owners = removals.filter(({ resource }) => resource.name === kind).map(({ id }) => id);
      if (owners.length > 0) work.send(takeAlong(column), [owners, work.now(), work.actor.userId, parts]);
    }
  }

  /** While a task was deleted its story may have moved. */
  override async afterRestore(restorals: readonly Restoral[], work: Work): Promise<void> {
    await super.afterRestore(restorals, work);
    const { resource } = restorals[0]!;
    if (resource.name !== 'Task') return;
    const ids = restorals.map(({ id }) => id);
    await moveTasks('t.id', ids, this.model, work);
  }
}

const takenAlong: [kind: string, column: string, parts: number][] = [
  ['UserStory', 'user_story_id', 5],
  ['TestPlan', 'test_plan_id', 14],
];

const takeAlong = (
  column: string,
): string => `update general set delete_date = $2, modify_date = $2, last_editor_id = $3,
    deleted_with_id = "${column}"
  where "${column}" = any($1::bigint[]) and entity_type_id = $4::int and delete_date is null`;

/**
 * A task lies where its story lies; a run where its plan lies, whatever was sent; what is created with its owner, where
 * that lies.
 */
function inherit(change: Change, work: Work): void {
  const { resource, values, isNew } = change;
  const { facts } = work;
  lieWithOwner(change, work);
  if (resource.name === 'Task' && (isNew || values.userStory || values.project)) inheritFromStory(change, facts);
  if (resource.name === 'TestPlanRun' && isNew) {
    const plan = current(change, 'testPlan');
    const fact = plan === undefined ? undefined : facts.any(plan, 'TestPlan');
    if (!fact) return;
    permitBeside(change, fact.project);
    values.project = refersTo(fact.project);
    byDefault(change, 'name', fact.name);
  }
}

/** Who moves a task has to name the project of its story, which is not among what he refers to. */
async function lookForStories(changes: readonly Change[], story: ResourceType, work: Work): Promise<void> {
  const moved = changes.filter(({ resource, isNew, values, command }) => {
    return resource.name === 'Task' && !isNew && values.project && !command.isOwn;
  });
  const stories = moved.flatMap((change) => current(change, 'userStory') ?? []);
  if (stories.length > 0) await work.look(new Map([[story, stories]]));
}

function inheritFromStory(change: Change, facts: Work['facts']): void {
  const { values, isNew, before, command } = change;
  // A move of the story itself takes its tasks along.
  if (command.isOwn) return;
  const story = current(change, 'userStory');
  // What is missing is refused where all values are checked.
  if (isNew && story === undefined) return;
  const fact = story === undefined ? undefined : facts.any(story, 'UserStory');
  const project = fact ? fact.project : before?.project_id;
  const sent = values.project === undefined ? undefined : current(change, 'project');
  const goesAlong = fact && sent !== undefined && facts.destinations.get(fact.id) === sent;
  if (values.project !== undefined && sent !== project && !goesAlong)
    throw refuse(
      change,
      'Project.Id',
      'a task lies in the project of its story: move the story, and the task goes along.',
    );
  if (!fact) return;
  permitBeside(change, fact.project);
  if (isNew || values.userStory) takeSpans(change, fact);
  if (goesAlong && !isNew) return;
  if (isNew || fact.project !== before?.project_id) values.project = refersTo(fact.project);
}

/** A new task, or one of another story, is planned as that is, as far as nothing else is sent. */
function takeSpans(change: Change, story: Fact): void {
  const { before, command } = change;
  for (const span of spansOf(change.resource)) {
    const own = story[span] ?? null;
    const isSent = command.references.some(({ field }) => field.writesTo === span);
    if (isSent || own === (before?.[columnOf(change.resource, span)] ?? null)) continue;
    byDefault(change, span, refersTo(own) ?? null);
  }
}

/** What a story and its tasks are planned for. */
const spansOf = (task: ResourceType): readonly Span[] => task.referenceOf('userStory').follows as Span[];

type Span = 'release' | 'iteration' | 'teamIteration';

/** Tasks go where their story goes, and the time that was spent on an item is spent on its project. */
async function moveParts(changes: readonly Change[], model: Model, work: Work): Promise<void> {
  const moved = changes.filter(({ isNew, values }) => !isNew && values.project !== undefined);
  if (moved.length > 0) {
    const ids = moved.map(({ id }) => id);
    work.send(
      `update time t set project_id = g.project_id from general g
       where t.assignable_id = any($1::bigint[]) and g.id = t.assignable_id and t.project_id is distinct from g.project_id`,
      [ids],
    );
    await moveTasks('t.user_story_id', ids, model, work);
  }
  await planTasks(changes, model, work);
}

/**
 * Tasks that are planned for what their story was planned for are so again; others stay. What counts is what the writer
 * sees: what is hidden from him is nothing, of both.
 */
async function planTasks(changes: readonly Change[], model: Model, work: Work): Promise<void> {
  const [story, task] = [model.resource('UserStory'), model.resource('Task')];
  const spans = spansOf(task);
  const planned = changes.filter(
    ({ resource, isNew, values }) => resource === story && !isNew && spans.some((span) => span in values),
  );
  if (planned.length === 0) return;
  const stories = new Map(planned.map((change) => [change.id, change]));
  const tasks = await work.rows<Row & { id: number }>(
    `select id, user_story_id, release_id, iteration_id, team_iteration_id from general
     where user_story_id = any($1::bigint[]) and entity_type_id = 5 and delete_date is null order by id`,
    [[...stories.keys()]],
  );
  if (tasks.length === 0) return;
  const fields = spans
    .filter((span) => planned.some(({ values }) => span in values))
    .map((span) => story.referenceOf(span));
  const rows = [...tasks, ...planned.map(({ before }) => before!)];
  await work.look(new Map(fields.map(({ target, column }) => [target, rows.flatMap((row) => idIn(row, column))])));
  const commands = tasks.flatMap((row) => {
    const places = placesWith(stories.get(row.user_story_id as number)!, row, fields, work);
    const [first] = Object.keys(places);
    return first ? [commandFor(task, `${first}.`, places, row.id)] : [];
  });
  if (commands.length === 0) return;
  await applyInParts(commands, work);
  if (planned.some(({ values }) => values.project))
    mergeRecords(
      'general',
      tasks.map(({ id }) => id),
      work,
    );
}

const idIn = (row: Row, column: string): number[] => (row[column] === null ? [] : [row[column] as number]);

/** Where a task goes with its story, by field name. */
function placesWith(
  { values, before }: Change,
  task: Row,
  fields: readonly ReferenceField[],
  { facts }: Work,
): Record<string, number | null> {
  const shown = (row: Row, { target, column }: ReferenceField): number | undefined =>
    idIn(row, column).find((id) => facts.of(target, id));
  return Object.fromEntries(
    fields
      .filter((field) => field.property in values && shown(task, field) === shown(before!, field))
      .map(({ name, property }) => [name, (values[property] as { id: number } | null)?.id ?? null]),
  );
}

type TaskKey = 't.id' | 't.user_story_id';

/** Tasks, by their own ids or those of their stories, that lie elsewhere than their story. */
async function moveTasks(key: TaskKey, ids: readonly unknown[], model: Model, work: Work): Promise<void> {
  const tasks = await work.rows<{ id: number; project: number }>(
    `select t.id, s.project_id as project from general t join general s on s.id = t.user_story_id
     where ${key} = any($1::bigint[]) and t.entity_type_id = 5 and t.delete_date is null
       and t.project_id is distinct from s.project_id order by t.id`,
    [ids],
  );
  if (tasks.length === 0) return;
  // Their states are those of the process there.
  await work.look(new Map([[model.resource('Project'), tasks.map(({ project }) => project)]]));
  const task = model.resource('Task');
  await applyInParts(
    tasks.map(({ id, project }) => commandFor(task, 'Project.', { Project: project }, id)),
    work,
  );
}

/** Few enough to keep nobody waiting meanwhile, as items of collections. */
const tasksOfPart = 1000;

async function applyInParts(commands: readonly Change['command'][], work: Work): Promise<void> {
  for (let at = 0; at < commands.length; at += tasksOfPart) await work.apply(commands.slice(at, at + tasksOfPart));
}

type Setup = Parameters<typeof severityRule>[1];

const byKind: Record<string, ((change: Change, setup: Setup) => void) | undefined> = {
  Bug: severityRule,
  Request: (change, setup) => {
    if (!change.isNew) return;
    byDefault(change, 'requestType', refersTo(setup.requestTypes[0]?.id));
    change.values.votesCount = 1;
  },
  Impediment: (change) => {
    if (change.isNew) byDefault(change, 'responsible', { id: change.actor.userId });
  },
};
