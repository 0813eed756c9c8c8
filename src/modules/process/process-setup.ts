/** How processes are set up: states, priorities, roles and practices. Few rows, asked for with every write. */
import type { Denial } from '../../command/circumstances.js';

export interface State {
  id: number;
  name: string;
  isInitial: boolean;
  isFinal: boolean;
  /** A final state that work ends in by default. */
  isDefaultFinal: boolean;
  role: number | null;
  workflow: number;
  /** Team workflows are parts of a project's workflow. */
  parentWorkflow: number | null;
  parentState: number | null;
  process: number;
  kind: number;
}

export interface Ranked {
  id: number;
  name: string;
  importance: number;
  isDefault: boolean;
  kind: number | null;
}

export interface Named {
  id: number;
  name: string;
}

export interface SetupRows {
  states: State[];
  priorities: Ranked[];
  severities: Ranked[];
  roles: (Named & { hasEffort: boolean })[];
  requestTypes: Named[];
  defaultProcess: number | null;
  practices: { process: number; name: string; settings: Record<string, unknown> }[];
  /** Kinds that are counted in hours, whatever the process says. */
  hourly: number[];
  denials: Denial[];
  /** Ids of the custom rules that are switched on. */
  rules: number[];
}

export class ProcessSetup {
  private readonly finals: ReadonlySet<number>;
  private readonly efforts: ReadonlySet<number>;
  private readonly statesOfKinds = new Map<string, State[]>();
  private readonly rolesOfKinds = new Map<string, number[]>();

  constructor(private readonly rows: SetupRows) {
    this.finals = new Set(rows.states.filter((state) => state.isFinal).map(({ id }) => id));
    this.efforts = new Set(rows.roles.filter((role) => role.hasEffort).map(({ id }) => id));
  }

  get defaultProcess(): number | undefined {
    return this.rows.defaultProcess ?? undefined;
  }

  /** The states of the workflow of a kind of item, those of team workflows left out. */
  states(process: number | undefined, kind: number | undefined): readonly State[] {
    return once(this.statesOfKinds, `${process}:${kind}`, () =>
      this.rows.states.filter(
        (state) => state.process === process && state.kind === kind && state.parentWorkflow === null,
      ),
    );
  }

  /** The same for items of any process, where none is given. */
  statesOfAny(process: number | undefined, kind: number): State[] {
    return this.rows.states.filter(
      (state) =>
        state.kind === kind && (process === undefined || state.process === process) && state.parentWorkflow === null,
    );
  }

  /** States of workflows of teams: parts of those of items of this kind. */
  statesOfTeams(workflows: readonly number[], kind: number): State[] {
    return this.rows.states.filter(
      (state) => state.kind === kind && state.parentState !== null && workflows.includes(state.workflow),
    );
  }

  state(id: number): State | undefined {
    return this.rows.states.find((state) => state.id === id);
  }

  isFinal(state: number | undefined): boolean {
    return state !== undefined && this.finals.has(state);
  }

  priorities(kind: number | undefined): Ranked[] {
    return this.rows.priorities.filter((priority) => priority.kind === kind);
  }

  get severities(): Ranked[] {
    return this.rows.severities;
  }

  get requestTypes(): Named[] {
    return this.rows.requestTypes;
  }

  get roles(): Named[] {
    return this.rows.roles;
  }

  get denials(): readonly Denial[] {
    return this.rows.denials;
  }

  isRuleEnabled(rule: number): boolean {
    return this.rows.rules.includes(rule);
  }

  hasEffort(role: number): boolean {
    return this.efforts.has(role);
  }

  /** The roles whose effort a kind of item is estimated for: those that its states are the work of. */
  effortRoles(process: number | undefined, kind: number | undefined): readonly number[] {
    return once(this.rolesOfKinds, `${process}:${kind}`, () => {
      const roles = this.states(process, kind).flatMap(({ role }) =>
        role !== null && this.hasEffort(role) ? [role] : [],
      );
      return [...new Set(roles)].sort((a, b) => a - b);
    });
  }

  /** The settings of a practice; undefined where the process does without it. */
  practice(process: number | undefined, name: string): Record<string, unknown> | undefined {
    return this.rows.practices.find((practice) => practice.process === process && practice.name === name)?.settings;
  }

  units(process: number | undefined, kind: number | undefined): 'pt' | 'h' {
    if (kind !== undefined && this.rows.hourly.includes(kind)) return 'h';
    return this.practice(process, 'Planning')?.EffortPoints === 'Hour' ? 'h' : 'pt';
  }
}

/** The result for a key, worked out the first time. */
function once<T>(results: Map<string, T>, key: string, workOut: () => T): T {
  const present = results.get(key);
  if (present !== undefined) return present;
  const result = workOut();
  results.set(key, result);
  return result;
}

/** The default one; without a default, the least important. */
export function usual(ranked: readonly Ranked[]): Ranked | undefined {
  let first = ranked[0];
  for (const one of ranked) if (first && isBefore(one, first)) first = one;
  return first;
}

const isBefore = (a: Ranked, b: Ranked): boolean =>
  (Number(b.isDefault) - Number(a.isDefault) || b.importance - a.importance || a.id - b.id) < 0;
