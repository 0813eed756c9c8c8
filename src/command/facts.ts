/** What is known of entities that a request refers to. What the actor may not see is not known. */
import type { ResourceType } from '../model/model.js';
import type { FactName, factTypes } from '../model/resource-settings.js';

/** One entity, as rules need to know it. Members are those its table has. */
export type Fact = { id: number } & { [Name in FactName]?: Held[(typeof factTypes)[Name]] };

interface Held {
  int: number;
  bigint: number | null;
  text: string | null;
  boolean: boolean;
}

export class Facts {
  private readonly byKind = new Map<string, Map<number, Fact>>();
  /** The projects that the request moves Generals to, by the ids of these. */
  readonly destinations = new Map<number, number>();

  /** Notes what a look-up gave. */
  note(resource: ResourceType, facts: readonly Fact[]): void {
    const byId = this.byKind.get(resource.name) ?? new Map<number, Fact>();
    for (const fact of facts) byId.set(fact.id, fact);
    this.byKind.set(resource.name, byId);
  }

  forget(resource: ResourceType, id: number): void {
    this.byKind.get(resource.name)?.delete(id);
  }

  /** Undefined: there is no such entity for the actor. It must have been looked up as this very type. */
  of(resource: ResourceType, id: number): Fact | undefined {
    return this.byKind.get(resource.name)?.get(id);
  }

  /** The fact of an id by the first of these types that has one. */
  any(id: number, ...resources: readonly string[]): Fact | undefined {
    for (const name of resources) {
      const fact = this.byKind.get(name)?.get(id);
      if (fact) return fact;
    }
    return undefined;
  }
}
