/** What a caller sees of the demonstration data, in memory: read by version 1, joined here, for a naive reading of expressions. */
import type { TestApp } from './app.js';

export interface Thing {
  kind: string;
  [name: string]: unknown;
}

interface Kind {
  collection: string;
  numbers: string[];
  texts: string[];
  flags: string[];
  /** By name: the kind that is referred to. */
  references: Record<string, string>;
  /** By name: the kind of the items, and the reference of theirs that leads back. */
  collections: Record<string, [kind: string, back: string]>;
}

export const kinds: Record<string, Kind> = {
  UserStory: {
    collection: 'UserStories',
    numbers: ['id', 'effort', 'timeSpent'],
    texts: ['name', 'units'],
    flags: [],
    references: { feature: 'Feature', project: 'Project', entityState: 'EntityState', release: 'Release' },
    collections: { tasks: ['Task', 'userStory'], bugs: ['Bug', 'userStory'] },
  },
  Task: {
    collection: 'Tasks',
    numbers: ['id', 'effort'],
    texts: ['name'],
    flags: [],
    references: { userStory: 'UserStory', project: 'Project', entityState: 'EntityState' },
    collections: {},
  },
  Bug: {
    collection: 'Bugs',
    numbers: ['id', 'effort'],
    texts: ['name'],
    flags: [],
    references: { userStory: 'UserStory', feature: 'Feature', project: 'Project', entityState: 'EntityState' },
    collections: {},
  },
  Feature: {
    collection: 'Features',
    numbers: ['id', 'effort'],
    texts: ['name'],
    flags: [],
    references: { epic: 'Epic', project: 'Project', entityState: 'EntityState' },
    collections: { userStories: ['UserStory', 'feature'], bugs: ['Bug', 'feature'] },
  },
  Epic: {
    collection: 'Epics',
    numbers: ['id', 'effort'],
    texts: ['name'],
    flags: [],
    references: { project: 'Project' },
    collections: { features: ['Feature', 'epic'] },
  },
  Release: {
    collection: 'Releases',
    numbers: ['id', 'effort'],
    texts: ['name'],
    flags: ['isCurrent'],
    references: { project: 'Project' },
    collections: { userStories: ['UserStory', 'release'] },
  },
  Project: {
    collection: 'Projects',
    numbers: ['id'],
    texts: ['name', 'abbreviation'],
    flags: ['isActive'],
    references: {},
    collections: { userStories: ['UserStory', 'project'], features: ['Feature', 'project'] },
  },
  EntityState: {
    collection: 'EntityStates',
    numbers: ['id', 'numericPriority'],
    texts: ['name'],
    flags: ['isFinal', 'isInitial'],
    references: {},
    collections: {},
  },
};

const wire = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** All things of each kind, the latest first, with what they refer to and what refers to them. */
export async function worldOf(app: TestApp, as: string): Promise<Record<string, Thing[]>> {
  const world: Record<string, Thing[]> = {};
  for (const [name, kind] of Object.entries(kinds)) world[name] = await things(app, as, name, kind);
  const byId = new Map(Object.entries(world).map(([name, all]) => [name, new Map(all.map((one) => [one.id, one]))]));
  for (const [name, { references, collections }] of Object.entries(kinds)) {
    for (const thing of world[name]!) {
      for (const [reference, target] of Object.entries(references)) {
        thing[reference] = byId.get(target)!.get((thing[reference] as { Id: number } | null)?.Id) ?? null;
      }
      for (const collection of Object.keys(collections)) thing[collection] = [];
    }
  }
  for (const [name, { collections }] of Object.entries(kinds)) {
    for (const [collection, [target, back]] of Object.entries(collections)) {
      for (const item of world[target]!) {
        const owner = item[back] as Thing | null;
        if (owner?.kind === name) (owner[collection] as Thing[]).push(item);
      }
    }
  }
  return world;
}

async function things(app: TestApp, as: string, kind: string, { collection, numbers, texts, flags, references }: Kind) {
  const values = [...numbers, ...texts, ...flags];
  const include = [...values.map(wire), ...Object.keys(references).map((name) => `${wire(name)}[Id]`)];
  const items = await app.items(`/api/v1/${collection}?include=[${include}]&orderByDesc=Id&take=1000`, { as });
  return items.map((item) => {
    const thing: Thing = { kind };
    for (const name of [...values, ...Object.keys(references)]) thing[name] = item[wire(name)] ?? null;
    return thing;
  });
}
