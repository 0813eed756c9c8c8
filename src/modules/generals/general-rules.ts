/**
 * What every General gets when it is written, and the dates it may have. Used by the services of all families of
 * Generals.
 */
import { byDefault, type Change, current, currentValue, refuse, type Work } from '../../command/change.js';
import { lieBeside } from '../../command/permit-places.js';

/** What is created with its owner lies in the project of that, unless another is sent. */
export function lieWithOwner(change: Change, { facts }: Work): void {
  const { command, isNew, resource } = change;
  const owner = resource.ofProperty(command.ownedBy ?? '');
  if (!isNew || owner?.kind !== 'reference' || !resource.ofProperty('project')) return;
  lieBeside(change, facts.any(current(change, owner.property)!, owner.target.name)?.project);
}

export function generalDefaults(changes: readonly Change[]): void {
  for (const change of changes) {
    if (change.isNew) {
      change.values.createDate = change.now;
      byDefault(change, 'owner', { id: change.actor.userId });
      // Nothing: its id, which the database knows when it stores the row.
      byDefault(change, 'numericPriority', null);
    }
    // Beyond that, one more is no other number: nothing could come behind it.
    if (Math.abs(Number(change.values.numericPriority ?? 0)) > 1e15)
      throw refuse(change, 'NumericPriority', 'from -1e15 to 1e15 is allowed.');
  }
}

/** 400 where an end lies before its start. Work items end when they are done, whatever start was planned for them. */
export function refuseEndBeforeStart(change: Change, { planned }: { planned: boolean } = { planned: false }): void {
  for (const [start, end, name] of planned ? spans.slice(1) : spans) {
    if (!(start in change.values) && !(end in change.values)) continue;
    if (!change.resource.field(start)) continue;
    const [from, to] = [currentValue<Date>(change, start), currentValue<Date>(change, end)];
    if (from && to && to.getTime() < from.getTime()) throw refuse(change, name, 'the end is before the start.');
  }
}

const spans = [
  ['startDate', 'endDate', 'EndDate'],
  ['plannedStartDate', 'plannedEndDate', 'PlannedEndDate'],
] as const;
