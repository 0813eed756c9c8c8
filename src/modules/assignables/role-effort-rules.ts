/**
 * The effort of a role as it is written, kept apart from what holds: efforts of parts, times and final states may take
 * its place.
 */
import { type Change, refuse } from '../../command/change.js';
import { boundedEffort, refuseNegative } from './effort-rules.js';

export function ownEffort(change: Change): void {
  const { values, isNew } = change;
  boundedEffort(change, 'effort', 'Effort');
  refuseNegative(change, 'initialEstimate', 'InitialEstimate');
  writeCompleted(change);
  lowerCompleted(change);
  if (values.effort !== undefined) values.ownEffort = values.effort;
  if (!isNew) delete values.effort;
  else Object.assign(values, stored(Number(values.effort ?? 0), Number(values.ownCompleted ?? 0)));
}

/** What the database will find of a new row. */
const stored = (effort: number, completed: number): object => ({
  ownEffort: effort,
  effortCompleted: completed,
  effortToDo: fourPlaces(effort - completed),
});

/**
 * EffortCompleted and EffortToDo are the two parts of the Effort: one tells the other, and both without the Effort tell
 * that.
 */
function writeCompleted(change: Change): void {
  const { values, before } = change;
  const sent = { effort: sentNumber(change, 'Effort'), ...partsOf(change) };
  const isChanged = values.effortToDo !== undefined || values.effortCompleted !== undefined;
  const isMeant = isChanged || (values.effort !== undefined && belongTo(sent));
  if (contradicts(change, sent)) throw refuse(change, 'Effort', 'is not the sum of EffortCompleted and EffortToDo.');
  const isToDoAlone = isChanged ? values.effortCompleted === undefined : sent.completed === undefined;
  delete values.effortCompleted;
  delete values.effortToDo;
  if (sent.completed === null || sent.toDo === null) values.ownCompleted = null;
  if (!isMeant || values.ownCompleted === null) return;
  const isSum = sent.effort === undefined && sent.completed !== undefined && sent.toDo !== undefined;
  if (isSum) values.effort = fourPlaces(sent.completed! + sent.toDo!);
  const effort = Number(values.effort ?? before?.effort ?? 0);
  const completed = isToDoAlone && !isSum ? effort - sent.toDo! : sent.completed!;
  if (completed < 0 || completed > effort) throw refuseParts(change, isToDoAlone ? 'EffortToDo' : 'EffortCompleted');
  values.ownCompleted = fourPlaces(completed);
}

/** Both parts were changed, and are not those of the Effort that was sent with them. */
const contradicts = ({ values }: Change, sent: Sent): boolean =>
  values.effortCompleted !== undefined && values.effortToDo !== undefined && isWhole(sent) && !isSumOf(sent);

const isWhole = ({ effort, completed, toDo }: Sent): boolean => [effort, completed, toDo].every((part) => part != null);

/** What was completed of an Effort that is lowered does not come back when it is raised again. */
function lowerCompleted({ values, before }: Change): void {
  const written = before?.own_completed;
  if (values.effort === undefined || values.ownCompleted !== undefined || written == null) return;
  if (Number(written) > Number(values.effort)) values.ownCompleted = values.effort;
}

interface Sent {
  effort?: number | null;
  completed?: number | null;
  toDo?: number | null;
}

/**
 * Whether unchanged parts belong to a new Effort: one alone does; both may have been read together with the old one.
 */
const belongTo = ({ effort, completed, toDo }: Sent): boolean =>
  (completed === undefined) !== (toDo === undefined) || isSumOf({ effort, completed, toDo });

const isSumOf = ({ effort, completed, toDo }: Sent): boolean =>
  fourPlaces(Number(completed) + Number(toDo)) === fourPlaces(Number(effort));

function partsOf(change: Change) {
  boundedEffort(change, 'effortCompleted', 'EffortCompleted');
  boundedEffort(change, 'effortToDo', 'EffortToDo');
  return { completed: sentNumber(change, 'EffortCompleted'), toDo: sentNumber(change, 'EffortToDo') };
}

const refuseParts = (change: Change, member: string) =>
  refuse(change, member, 'is more than the Effort; send that, too.');

/** Null clears, which a number that starts with 0 does not tell. */
function sentNumber({ command }: Change, name: string): number | null | undefined {
  const value = command.scalars.find(({ field }) => field.name === name)?.value;
  return value === undefined || value === null ? value : Number(value);
}

const fourPlaces = (value: number): number => Math.round(value * 10_000) / 10_000;
