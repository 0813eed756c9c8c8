/** Rules of time records: whose, in which role, when, and for which project. */
import { Inject, Injectable } from '@nestjs/common';
import {
  byDefault,
  type Change,
  current,
  currentValue,
  type Removal,
  refersTo,
  refuse,
  visibleIds,
  type Work,
} from '../../command/change.js';
import { onlyAdministrators } from '../../errors.js';
import { ResourceService } from '../../http/resource.service.js';
import { startOfDay } from '../../texts/local-times.js';
import { ProcessCatalogue } from '../process/process-catalogue.js';
import type { ProcessSetup } from '../process/process-setup.js';

/** More than a year around the clock is a slip of the hand. */
const mostHours = 8784;

@Injectable()
export class TimesService extends ResourceService {
  @Inject(ProcessCatalogue) private readonly processes!: ProcessCatalogue;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    if (changes[0]!.resource.name === 'CustomActivity') return activities(changes);
    for (const change of changes) defaults(change, work);
    await rolesOfWorkers(changes, work);
    const setup = await this.processes.setup(work);
    for (const change of changes) check(change, processOfTime(change, work), setup);
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    const { actor } = work;
    if (removals[0]!.resource.name === 'CustomActivity') return releaseHiddenTimes(removals, work);
    if (actor.isAdministrator) return;
    if (removals.some(({ before }) => before.user_id !== actor.userId)) throw someoneElses();
  }
}

/** An activity is in use where the actor sees that it is. */
async function releaseHiddenTimes(removals: readonly Removal[], work: Work): Promise<void> {
  const times = removals[0]!.resource.field('Times');
  if (times?.kind !== 'collection') throw new Error('activities have times');
  const uses = await work.rows<{ id: number }>('select id from time where custom_activity_id = any($1::bigint[])', [
    removals.map(({ id }) => id),
  ]);
  const ids = uses.map(({ id }) => id);
  const visible = await visibleIds(times.target, ids, work);
  await work.rows('update time set custom_activity_id = null where id = any($1::bigint[])', [
    ids.filter((id) => !visible.has(id)),
  ]);
}

async function activities(changes: readonly Change[]): Promise<void> {
  for (const change of changes) {
    if (!change.isNew) continue;
    change.values.created = change.now;
    byDefault(change, 'user', { id: change.actor.userId });
  }
}

function defaults(change: Change, { facts }: Work): void {
  const { values, now, actor, timeZone } = change;
  if (change.isNew) {
    values.createDate = now;
    if (actor.isSystem && !values.user) throw refuse(change, 'User', 'a value is required.');
    byDefault(change, 'user', { id: actor.userId });
    byDefault(change, 'date', startOfDay(now, timeZone));
  }
  const isWritten = change.isNew || Object.keys(values).length > 0;
  if (isWritten && !actor.isAdministrator && !isOwn(change)) throw someoneElses();
  const item = 'assignable' in values ? current(change, 'assignable') : undefined;
  const fact = item === undefined ? undefined : facts.any(item, 'Assignable');
  // Time for an item is time for its project, and for none where that lies in none.
  if (fact) values.project = refersTo(fact.project) ?? null;
  else if (!change.isNew && current(change, 'assignable') !== undefined) delete values.project;
  if (current(change, 'project') === undefined && current(change, 'assignable') === undefined) {
    throw refuse(change, 'Assignable', 'an Assignable or a Project is required.');
  }
}

/** A time without a user, as there may be older ones, is nobody's own. */
const isOwn = (change: Change): boolean => {
  const { actor, isNew, before } = change;
  return current(change, 'user') === actor.userId && (isNew || before?.user_id === actor.userId);
};

const someoneElses = () => onlyAdministrators('write the time of others');

/** In the role the user is assigned in, else that of the project, else the user's own. */
async function rolesOfWorkers(changes: readonly Change[], { rows }: Work): Promise<void> {
  const without = changes.filter(({ isNew, values }) => isNew && values.role === undefined);
  if (without.length === 0) return;
  const asked = ['assignable', 'project', 'user'].map((property) =>
    without.map((change) => current(change, property) ?? null),
  );
  const roles = await rows<{ n: number; role: number | null }>(
    `select w.n::int as n, coalesce(
       (select a.role_id from assignment a where a.assignable_id = w.item and a.general_user_id = w.person order by a.id limit 1),
       (select m.role_id from project_member m where m.project_id = w.project and m.user_id = w.person),
       (select u.role_id from general_user u where u.id = w.person)) as role
     from unnest($1::bigint[], $2::bigint[], $3::bigint[]) with ordinality as w(item, project, person, n) order by w.n`,
    asked,
  );
  roles.forEach(({ role }, index) => {
    byDefault(without[index]!, 'role', refersTo(role));
  });
}

function processOfTime(change: Change, { facts }: Work): number | undefined {
  const item = current(change, 'assignable');
  const project = current(change, 'project');
  const role =
    (item === undefined ? undefined : facts.any(item, 'Assignable')) ??
    (project === undefined ? undefined : facts.any(project, 'Project'));
  return role?.process ?? undefined;
}

/** Where it is already it may stay: it came with its item, or the practice was switched off. */
const isPlaced = (change: Change): boolean =>
  change.isNew || current(change, 'project') !== (change.before?.project_id ?? undefined);

function check(change: Change, process: number | undefined, setup: ProcessSetup): void {
  for (const [property, name] of [
    ['spent', 'Spent'],
    ['remain', 'Remain'],
  ] as const) {
    const hours = Number(change.values[property] ?? 0);
    if (hours < 0 || hours > mostHours) throw refuse(change, name, `from 0 to ${mostHours} hours are allowed.`);
  }
  if (process === undefined) return;
  const practice = setup.practice(process, 'Time Tracking');
  if (!practice && isPlaced(change)) {
    const where = current(change, 'assignable') === undefined ? 'Project' : 'Assignable';
    throw refuse(change, where, 'Time is not available for current process.');
  }
  const description = currentValue<string>(change, 'description');
  if (practice?.IsTimeDescriptionRequired === true && !description?.trim()) {
    throw refuse(change, 'Description', 'a value is required.');
  }
}
