/**
 * Plans and runs that lie below one another, walked no further than the writer sees: what lies behind a hidden one is
 * not reached.
 */
import { visibleIds, type Work } from '../../command/change.js';
import type { ResourceType } from '../../model/model.js';

/** The plans among them that lie in projects the actor may write in. */
export async function writableIds(resource: ResourceType, ids: readonly number[], work: Work): Promise<Set<number>> {
  const { isAdministrator, projectIds } = work.actor;
  const isMine = (id: number): boolean =>
    isAdministrator || projectIds.includes(work.facts.of(resource, id)?.project ?? 0);
  return new Set([...(await visibleIds(resource, ids, work))].filter(isMine));
}

export function targetOf(resource: ResourceType, name: string): ResourceType {
  const field = resource.field(name);
  if (!field || field.kind === 'scalar') throw new Error(`${resource.name}.${name} refers to nothing`);
  return field.target;
}

export interface Step {
  from: number;
  to: number;
}

export type Steps = ReadonlyMap<number, readonly number[]>;

export function stepsOf(steps: readonly Step[]): Steps {
  const byStart = new Map<number, number[]>();
  for (const { from, to } of steps) {
    const targets = byStart.get(from);
    if (targets) targets.push(to);
    else byStart.set(from, [to]);
  }
  return byStart;
}

/** An id, and the one it is reached from. */
export interface Reached {
  id: number;
  from: number;
}

/** Level by level; each id once, as near to the start as it is found. Ends in circles too. */
export function levelsFrom(start: number, steps: Steps): Reached[][] {
  const reached = new Set([start]);
  const levels: Reached[][] = [];
  for (let level = [start]; level.length > 0; ) {
    const next = level
      .sort((a, b) => a - b)
      .flatMap((from) => (steps.get(from) ?? []).map((id) => ({ id, from })))
      .filter(({ id }) => !reached.has(id) && reached.add(id));
    if (next.length > 0) levels.push(next);
    level = next.map(({ id }) => id);
  }
  return levels;
}

/** Whether some way leads from one to the other, or from one back to itself. */
export const leadsTo = (start: number, end: number, steps: Steps): boolean =>
  [start, ...levelsFrom(start, steps).flatMap((level) => level.map(({ id }) => id))].some((id) =>
    steps.get(id)?.includes(end),
  );
