/** States, priorities and units as the process of an item's project has them, and the dates that follow a state. */
import { type Change, columnOf, current, currentValue, refuse, type Work } from '../../command/change.js';
import type { ResourceType } from '../../model/model.js';
import { notSingle } from './name-rules.js';
import type { ProcessCatalogue } from './process-catalogue.js';
import { type Named, type ProcessSetup, type Ranked, type State, usual } from './process-setup.js';

/**
 * The process of an item is that of its project; a project has its own; what lies in none follows the default process.
 */
export function processOf(change: Change, { facts }: Work): number | undefined {
  const { resource, values } = change;
  if (resource.name === 'Project') return current(change, 'process');
  const project = resource.field('Project') ? current(change, 'project') : undefined;
  if (project === undefined) return undefined;
  const projectFact = facts.any(project, 'Project', 'General');
  if (projectFact) return projectFact.process ?? undefined;
  if (change.id !== undefined && !('project' in values)) {
    const own = facts.any(change.id, resource.name, ...resource.bases.map(({ name }) => name));
    if (own) return own.process ?? undefined;
  }
  // Taken over from something the item refers to, such as a task's story.
  for (const { field, to } of change.command.references) {
    const other = to.kind === 'id' ? facts.of(field.target, to.id) : undefined;
    if (other?.project === project) return other.process ?? undefined;
  }
  return undefined;
}

/**
 * State, priority and units of items that have them. Reads the set-up again before it refuses what it does not know;
 * returns the latest it has read.
 */
export async function workflowRules(
  changes: readonly Change[],
  work: Work,
  catalogue: ProcessCatalogue,
): Promise<ProcessSetup> {
  const setup = await catalogue.setup(work);
  let fresh: ProcessSetup | undefined;
  for (const change of changes) {
    for (const rule of [stateRule, priorityRule]) {
      if (rule(change, work, setup) === 'done') continue;
      fresh ??= await catalogue.within(work);
      if (rule(change, work, fresh) !== 'done') throw refusals.get(rule)!(change, work, fresh);
    }
    if (change.isNew && change.resource.field('Units'))
      change.values.units = setup.units(processFor(change, work, setup), kindOf(change));
  }
  return fresh ?? setup;
}

type Rule = (change: Change, work: Work, setup: ProcessSetup) => 'done' | 'unknown';

const kindOf = ({ resource }: Change): number | undefined => resource.settings.entityTypeId;

export const processFor = (change: Change, work: Work, setup: ProcessSetup): number | undefined =>
  processOf(change, work) ?? processOfState(change, setup) ?? setup.defaultProcess;

/** What a rule changes has not been looked up: where it stays in its project, its state tells. */
function processOfState({ before, values }: Change, setup: ProcessSetup): number | undefined {
  const isStaying = before !== undefined && before.project_id !== null && !('project' in values);
  return isStaying ? setup.state(before.entity_state_id as number)?.process : undefined;
}

/** A reference as it was sent. */
export interface SentName {
  id?: number;
  name?: string;
}

type SentReference = SentName | null | undefined;

const stateRule: Rule = (change, work, setup) => {
  const sent = change.values.entityState as SentReference;
  const moves = !change.isNew && (change.resource.name === 'Project' ? 'process' : 'project') in change.values;
  if (sent === undefined && !change.isNew && !moves) return 'done';
  const states = setup.states(processFor(change, work, setup), kindOf(change));
  const state = sent ? onlyOne(thoseSent(states, sent)) : stateByDefault(change, states, setup);
  if (!state) return sent ? 'unknown' : 'done';
  if (state.id !== change.before?.entity_state_id) enter(change, state, setup);
  else delete change.values.entityState;
  return 'done';
};

/** By its Id, or all of that name. */
export const thoseSent = <T extends Named>(among: readonly T[], sent: SentName): T[] => {
  const name = sent.name?.trim().toLowerCase();
  return among.filter((one) => (sent.id === undefined ? one.name.toLowerCase() === name : one.id === sent.id));
};

const onlyOne = <T>(matches: readonly T[]): T | undefined => (matches.length === 1 ? matches[0] : undefined);

/**
 * A new item starts in the initial state; one that moves to another process keeps the name of its state where there is
 * such a one.
 */
function stateByDefault({ before }: Change, states: readonly State[], setup: ProcessSetup): State | undefined {
  const old = before && setup.state(before.entity_state_id as number);
  if (old && states.some(({ id }) => id === old.id)) return old;
  const alike = old && thoseSent(states, { name: old.name });
  return (
    alike?.find(({ name }) => name === old?.name) ??
    alike?.[0] ??
    states.find(({ isInitial }) => isInitial) ??
    states[0]
  );
}

function enter(change: Change, state: State, setup: ProcessSetup): void {
  const { values, before, now, resource } = change;
  values.entityState = { id: state.id };
  if (resource.field('LastStateChangeDate')) values.lastStateChangeDate = now;
  if (hasOwnDates(resource)) return;
  const wasFinal = setup.isFinal(before?.entity_state_id as number | undefined);
  if (!state.isInitial && isStarting(change, setup)) values.startDate = now;
  // Its old state may have become final, or ceased to be, while it was in it.
  const end = currentValue(change, 'endDate');
  if (state.isFinal && (wasFinal ? !end : !values.endDate)) values.endDate = now;
  if (!state.isFinal && end) values.endDate = null;
}

/** It leaves its initial state without a start, and none is taken away from it. */
function isStarting(change: Change, setup: ProcessSetup): boolean {
  const { before, isNew, values } = change;
  const was = before && setup.state(before.entity_state_id as number);
  return (!was || was.isInitial) && (isNew || values.startDate !== null) && !currentValue(change, 'startDate');
}

/** Start and end of projects and test plans are planned: their state says nothing about them. */
export const hasOwnDates = ({ name }: ResourceType): boolean => name === 'Project' || name === 'TestPlan';

/** An end that is sent for an item which is not done is dropped. */
export function dropEarlyEnd(change: Change, setup: ProcessSetup): void {
  if (change.values.endDate && !setup.isFinal(current(change, 'entityState'))) delete change.values.endDate;
}

const priorityRule: Rule = (change, _work, setup) => {
  if (!change.resource.field('Priority')) return 'done';
  const sent = change.values.priority as SentReference;
  if (sent === null || (sent === undefined && !change.isNew)) return 'done';
  return choose(change, 'priority', sent, setup.priorities(kindOf(change)));
};

/** Severities are the same for all. */
export function severityRule(change: Change, setup: ProcessSetup): void {
  const sent = change.values.severity as SentReference;
  if (sent === undefined && change.isNew) choose(change, 'severity', sent, setup.severities);
}

function choose(change: Change, property: string, sent: SentReference, among: readonly Ranked[]): 'done' | 'unknown' {
  const chosen = sent ? onlyOne(thoseSent(among, sent)) : usual(among);
  if (!chosen) return sent ? 'unknown' : 'done';
  if (change.before?.[columnOf(change.resource, property)] === chosen.id) delete change.values[property];
  else change.values[property] = { id: chosen.id };
  return 'done';
}

const quoted = ({ id, name }: SentName): string => (id === undefined ? `'${name}'` : String(id));

export const notInWorkflow = (sent: SentName, states: readonly State[]): string =>
  `the state ${quoted(sent)} is not one of the workflow of this item${listed(states)}.`;

const notOfKind = (sent: SentName, priorities: readonly Ranked[]): string =>
  `the priority ${quoted(sent)} is not one of this kind of item${listed(priorities)}.`;

const mostListed = 20;

function listed(there: readonly { name: string }[]): string {
  if (there.length === 0) return ', which has none';
  const names = there.slice(0, mostListed).map(({ name }) => name);
  return `: ${names.join(', ')}${there.length > mostListed ? ' …' : ''}`;
}

const refusals = new Map<Rule, (change: Change, work: Work, setup: ProcessSetup) => Error>([
  [
    stateRule,
    (change, work, setup) => {
      const states = setup.states(processFor(change, work, setup), kindOf(change));
      return refuseSent(change, 'EntityState', { among: states, otherwise: notInWorkflow });
    },
  ],
  [
    priorityRule,
    (change, _work, setup) =>
      refuseSent(change, 'Priority', { among: setup.priorities(kindOf(change)), otherwise: notOfKind }),
  ],
]);

function refuseSent<T extends Named>(
  change: Change,
  name: 'EntityState' | 'Priority',
  { among, otherwise }: { among: readonly T[]; otherwise: (sent: SentName, among: readonly T[]) => string },
): Error {
  const sent = change.values[name === 'Priority' ? 'priority' : 'entityState'] as SentName;
  const isTwice = thoseSent(among, sent).length > 1;
  return refuse(change, name, isTwice ? notSingle(name, sent.name!) : otherwise(sent, among));
}
