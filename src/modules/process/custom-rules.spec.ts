import { describe, expect, it } from 'vitest';
import { nextState } from './custom-rules.js';
import { ProcessSetup, type SetupRows, type State } from './process-setup.js';

const state = (id: number, kind: number, more: Partial<State> = {}): State => ({
  id,
  name: `state ${id}`,
  isInitial: false,
  isFinal: false,
  isDefaultFinal: false,
  role: null,
  workflow: kind,
  parentWorkflow: null,
  parentState: null,
  process: 1,
  kind,
  ...more,
});

const states = [
  state(1, 4, { isInitial: true }),
  state(2, 4),
  state(3, 4),
  state(4, 4, { isFinal: true }),
  state(5, 5, { isInitial: true }),
  state(6, 5),
  state(7, 5, { isFinal: true }),
];

const setup = (rules: number[]) => new ProcessSetup({ states, roles: [], rules } as unknown as SetupRows);

describe('where a story goes whose tasks have moved', () => {
  it.each([
    ['nowhere while the rules are off', [], 1, [7, 7], undefined],
    ['to the next state when a task has started', [1], 1, [5, 6], 2],
    ['to the next state when a task is done', [1], 1, [5, 7], 2],
    ['nowhere while no task has started', [1, 2], 1, [5, 5], undefined],
    ['nowhere once it has started', [1], 3, [6, 6], undefined],
    ['to the end when all tasks are closed', [2], 2, [7, 7], 4],
    ['to the end from the beginning', [1, 2], 1, [7], 4],
    ['to the next state when all are closed and only the first rule is on', [1], 1, [7], 2],
    ['nowhere while a task is open', [2], 2, [7, 6], undefined],
    ['nowhere when it is closed', [1, 2], 4, [6], undefined],
    ['nowhere for tasks without a state', [1, 2], 1, [null], undefined],
  ] as const)('%s', (_, rules, from, tasks, expected) => {
    expect(nextState(setup([...rules]), from, tasks)?.id).toBe(expected);
  });

  it('to the final state that work ends in by default, where there are several', () => {
    const several = [...states, state(8, 4, { isFinal: true, isDefaultFinal: true })];
    const rows = { states: several, roles: [], rules: [2] } as unknown as SetupRows;
    expect(nextState(new ProcessSetup(rows), 2, [7])?.id).toBe(8);
  });
});
