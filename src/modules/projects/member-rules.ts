/**
 * Who belongs to a project or team, in which role and when. Memberships say what callers see, so administrators write
 * them.
 */
import {
  byDefault,
  type Change,
  currentValue,
  type Removal,
  referenced,
  refersTo,
  refuse,
  type Work,
} from '../../command/change.js';
import { onlyAdministrators } from '../../errors.js';

/** For changes of ProjectMember, TeamMember and TeamProject. */
export function memberRules(changes: readonly Change[], { actor, facts }: Work): void {
  for (const change of changes) {
    if (!actor.isAdministrator && isWritten(change)) throw othersOnly(change);
    if (change.isNew && change.resource.field('Role')) {
      const user = referenced(change, 'user');
      byDefault(change, 'role', refersTo(user === undefined ? undefined : facts.any(user, 'User')?.role));
    }
    refuseNegative(change);
    refuseEndBeforeStart(change);
  }
}

export function memberRemovals(removals: readonly Removal[], { actor }: Work): void {
  if (!actor.isAdministrator) throw othersOnly(removals[0]!);
}

const othersOnly = ({ resource }: Change | Removal) => onlyAdministrators(`change ${resource.collection}`);

/** A membership that is sent back with its owner as it was is no change. */
const isWritten = ({ isNew, values }: Change): boolean => isNew || Object.keys(values).length > 0;

function refuseNegative(change: Change): void {
  for (const [property, name] of [
    ['weeklyAvailableHours', 'WeeklyAvailableHours'],
    ['allocation', 'Allocation'],
  ] as const) {
    if (Number(change.values[property] ?? 0) < 0) throw refuse(change, name, 'must not be negative.');
  }
}

function refuseEndBeforeStart(change: Change): void {
  for (const [start, end, name] of [
    ['startDate', 'endDate', 'EndDate'],
    ['membershipStartDate', 'membershipEndDate', 'MembershipEndDate'],
  ] as const) {
    if (!(start in change.values) && !(end in change.values)) continue;
    const [from, to] = [currentValue<Date>(change, start), currentValue<Date>(change, end)];
    if (from && to && to.getTime() < from.getTime()) throw refuse(change, name, 'the end is before the start.');
  }
}
