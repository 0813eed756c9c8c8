/**
 * Random expressions of version 2, each with a naive reading of it: what it is worth for a thing in memory. A reading
 * knows nothing of the service; it says what the reference says, in the plainest way.
 */
import { model } from './builder.js';
import { type Dice, pick } from './dice.js';
import { holdsFor, holdsPart } from './oracle/comparing.js';
import { holds } from './oracle/conditions.js';
import { RandomConditions } from './oracle/random-conditions.js';
import { isOwnAlone } from './oracle/requests.js';
import { whereV2 } from './oracle/spelling.js';
import type { Thing, Value, World } from './oracle/world.js';

export interface Expression<T> {
  text: string;
  worth: (it: Thing) => T;
}

type Maybe<T> = T | null;

/** What of a kind expressions are made of. */
interface Members {
  numbers: string[];
  texts: string[];
  flags: string[];
  references: string[];
  collections: string[];
}

const kinds: Record<string, Members> = {
  UserStory: {
    numbers: ['id', 'effort', 'timeSpent'],
    texts: ['name', 'units'],
    flags: [],
    references: ['feature', 'project', 'entityState', 'release'],
    collections: ['tasks', 'bugs'],
  },
  Task: {
    numbers: ['id', 'effort'],
    texts: ['name'],
    flags: [],
    references: ['userStory', 'project', 'entityState'],
    collections: [],
  },
  Bug: {
    numbers: ['id', 'effort'],
    texts: ['name'],
    flags: [],
    references: ['userStory', 'feature', 'project', 'entityState'],
    collections: [],
  },
  Feature: {
    numbers: ['id', 'effort'],
    texts: ['name'],
    flags: [],
    references: ['epic', 'project', 'entityState'],
    collections: ['userStories', 'bugs'],
  },
  Epic: { numbers: ['id', 'effort'], texts: ['name'], flags: [], references: ['project'], collections: ['features'] },
  Release: {
    numbers: ['id', 'effort'],
    texts: ['name'],
    flags: ['isCurrent'],
    references: ['project'],
    collections: ['userStories'],
  },
  Project: {
    numbers: ['id'],
    texts: ['name', 'abbreviation'],
    flags: ['isActive'],
    references: [],
    collections: ['userStories', 'features'],
  },
  EntityState: {
    numbers: ['id', 'numericPriority'],
    texts: ['name'],
    flags: ['isFinal', 'isInitial'],
    references: [],
    collections: [],
  },
};

const fieldOf = (kind: string, name: string) => {
  const field = model.resource(kind).field(name);
  if (!field) throw new Error(`${kind} has no ${name}`);
  return field;
};

function valueAt(it: Maybe<Thing>, name: string): Value {
  const field = it && fieldOf(it.resource.name, name);
  return field?.kind === 'scalar' ? it!.value(field) : null;
}

function targetOf(it: Maybe<Thing>, name: string): Maybe<Thing> {
  const field = it && fieldOf(it.resource.name, name);
  return field?.kind === 'reference' ? it!.target(field) : null;
}

function itemsOf(it: Maybe<Thing>, name: string): Maybe<Thing[]> {
  const field = it && fieldOf(it.resource.name, name);
  return field?.kind === 'collection' ? it!.items(field) : null;
}

/** The kind that a reference or a collection leads to. */
function kindAt(kind: string, name: string): string {
  const field = fieldOf(kind, name);
  if (field.kind === 'scalar') throw new Error(`${kind}.${name} leads nowhere`);
  return field.target.name;
}

const words = ['the', 'E', 'show', 'open', 'a%', '_', "o'", 'Shared', 'zz'];
const quoted = (word: string): string => `'${word.replaceAll("'", "\\'")}'`;

export class Expressions {
  private readonly conditions: RandomConditions;

  /** The world is that of an administrator. */
  constructor(
    private readonly dice: Dice,
    world: World,
  ) {
    this.conditions = new RandomConditions(dice, world);
  }

  condition(kind: string, depth: number): Expression<boolean> {
    const { dice } = this;
    const leaf = depth <= 0;
    switch (dice(leaf ? 6 : 13)) {
      case 5:
        return this.plain(kind);
      case 0:
        return this.compared(kind, depth);
      case 1:
        return this.sameText(kind, depth);
      case 2:
        return this.flag(kind, depth);
      case 3:
        return this.missing(kind);
      case 4:
        return this.part(kind, depth);
      case 12:
      case 6: {
        const [one, other] = [this.condition(kind, depth - 1), this.condition(kind, depth - 1)];
        const sign = pick(dice, [' and ', '&&', ')and(']);
        return { text: `(${one.text}${sign}${other.text})`, worth: (it) => one.worth(it) && other.worth(it) };
      }
      case 7: {
        const [one, other] = [this.condition(kind, depth - 1), this.condition(kind, depth - 1)];
        return { text: `(${one.text} or ${other.text})`, worth: (it) => one.worth(it) || other.worth(it) };
      }
      case 8: {
        const one = this.condition(kind, depth - 1);
        return { text: `not(${one.text})`, worth: (it) => !one.worth(it) };
      }
      case 9:
        return this.listed(kind, depth);
      default:
        return this.quantified(kind, depth) ?? this.compared(kind, depth);
    }
  }

  /** What version 1 can say as well; what only some kinds have is asked for by a cast here. */
  private plain(kind: string): Expression<boolean> {
    const resource = model.resource(kind);
    let condition = this.conditions.condition(resource, 0);
    while (!isOwnAlone(resource, condition)) condition = this.conditions.condition(resource, 0);
    return { text: whereV2(condition), worth: (it) => holds(condition, it) };
  }

  private compared(kind: string, depth: number): Expression<boolean> {
    const [one, other] = [this.number(kind, depth - 1), this.number(kind, depth - 1)];
    const [sign, holds] = pick(this.dice, comparisons);
    return { text: `(${one.text}${sign}${other.text})`, worth: (it) => holds(one.worth(it), other.worth(it)) };
  }

  private sameText(kind: string, depth: number): Expression<boolean> {
    const [one, other] = [this.text(kind, depth - 1), this.text(kind, depth - 1)];
    const [sign, isWanted] = pick(this.dice, [
      ['==', true],
      ['!=', false],
    ] as const);
    const same = (it: Thing): boolean => isSame(one.worth(it), other.worth(it));
    return { text: `(${one.text}${sign}${other.text})`, worth: (it) => same(it) === isWanted };
  }

  private flag(kind: string, depth: number): Expression<boolean> {
    const path = this.path(kind, (one) => kinds[one]!.flags.length > 0);
    if (!path) return this.compared(kind, depth);
    const flag = pick(this.dice, kinds[path.kind]!.flags);
    const worth = (it: Thing): Value => valueAt(path.to(it), flag);
    switch (this.dice(3)) {
      case 0:
        return { text: `${path.text}${flag}`, worth: (it) => worth(it) === true };
      case 1:
        return { text: `${path.text}${flag}==false`, worth: (it) => worth(it) === false };
      default:
        return { text: `(${path.text}${flag}!=true)`, worth: (it) => worth(it) !== true };
    }
  }

  private missing(kind: string): Expression<boolean> {
    const path = this.path(kind, (one) => kinds[one]!.references.length > 0) ?? start(kind);
    const names = [...kinds[path.kind]!.references, ...kinds[path.kind]!.texts];
    const name = pick(this.dice, names);
    const isMissing = (it: Thing): boolean => (valueAt(path.to(it), name) ?? targetOf(path.to(it), name)) === null;
    return this.dice(2) === 0
      ? { text: `${path.text}${name} ${pick(this.dice, ['==', 'is', '='])} null`, worth: isMissing }
      : { text: `${path.text}${name} ${pick(this.dice, ['!=', 'is not', '<>'])} null`, worth: (it) => !isMissing(it) };
  }

  private part(kind: string, depth: number): Expression<boolean> {
    const one = this.text(kind, depth - 1);
    const word = pick(this.dice, words);
    const [method, start, end] = pick(this.dice, [
      ['Contains', false, false],
      ['startswith', true, false],
      ['EndsWith', false, true],
    ] as const);
    const worth = (it: Thing): boolean => holdsPart(one.worth(it), word, start, end);
    return { text: `(${one.text}).${method}(${quoted(word)})`, worth };
  }

  private listed(kind: string, depth: number): Expression<boolean> {
    const one = this.number(kind, depth - 1);
    const values = Array.from({ length: this.dice(4) }, () => this.dice(2000));
    return { text: `(${one.text} in [${values}])`, worth: (it) => values.includes(one.worth(it) as number) };
  }

  private quantified(kind: string, depth: number): Expression<boolean> | undefined {
    const items = this.items(kind);
    if (!items) return undefined;
    const holds = this.condition(items.kind, depth - 2);
    switch (this.dice(5)) {
      case 4:
        // Where there is nobody to have items, their number is nothing, which differs from every number.
        return {
          text: `(${items.text}.count(${holds.text})${pick(this.dice, ['!=', '<>'])}0)`,
          worth: (it) => items.of(it)?.some(holds.worth) ?? true,
        };
      case 0:
        return { text: `${items.text}.Any(${holds.text})`, worth: (it) => (items.of(it) ?? []).some(holds.worth) };
      case 1:
        return { text: `${items.text}.all(${holds.text})`, worth: (it) => (items.of(it) ?? []).every(holds.worth) };
      case 2:
        return {
          text: `(${items.text}.Count(${holds.text})>0)`,
          worth: (it) => (items.of(it) ?? []).some(holds.worth),
        };
      default:
        return {
          text: `(${items.text}.where(${holds.text}).count()==0)`,
          worth: (it) => items.of(it)?.every((one) => !holds.worth(one)) ?? false,
        };
    }
  }

  number(kind: string, depth: number): Expression<Maybe<number>> {
    const { dice } = this;
    switch (dice(depth <= 0 ? 3 : 9)) {
      case 0: {
        const count = pick(dice, [0, 1, 2, 3, 5, 8, 1200]);
        return { text: String(count), worth: () => count };
      }
      case 1:
      case 2: {
        const path = this.path(kind, () => true)!;
        const name = pick(dice, kinds[path.kind]!.numbers);
        return { text: `${path.text}${name}`, worth: (it) => valueAt(path.to(it), name) as Maybe<number> };
      }
      case 3: {
        const [one, other] = [this.number(kind, depth - 1), this.number(kind, depth - 1)];
        const [sign, reckon] = pick(dice, reckonings);
        const worth = (it: Thing): Maybe<number> => {
          const [left, right] = [one.worth(it), other.worth(it)];
          return left === null || right === null ? null : reckon(left, right);
        };
        return { text: `(${one.text}${sign}${other.text})`, worth };
      }
      case 4: {
        const [test, one, other] = [
          this.condition(kind, depth - 2),
          this.number(kind, depth - 2),
          this.number(kind, depth - 2),
        ];
        const text = pick(dice, [
          `IIF(${test.text},${one.text},${other.text})`,
          `(${test.text} ? ${one.text} : ${other.text})`,
        ]);
        return { text, worth: (it) => (test.worth(it) ? one.worth(it) : other.worth(it)) };
      }
      case 5: {
        const [one, other] = [this.number(kind, depth - 1), this.number(kind, depth - 1)];
        return { text: `IFNONE(${one.text},${other.text})`, worth: (it) => one.worth(it) ?? other.worth(it) };
      }
      case 6: {
        const one = this.text(kind, depth - 1);
        return { text: `(${one.text}).Length`, worth: (it) => length(one.worth(it)) };
      }
      default:
        return this.reduced(kind, depth) ?? this.number(kind, 0);
    }
  }

  private reduced(kind: string, depth: number): Expression<Maybe<number>> | undefined {
    const items = this.items(kind);
    if (!items) return undefined;
    const holds = this.condition(items.kind, depth - 3);
    const one = this.number(items.kind, depth - 3);
    const some = (it: Thing): Thing[] | null => items.of(it)?.filter(holds.worth) ?? null;
    const numbers = (it: Thing): number[] | null => some(it)?.flatMap((item) => one.worth(item) ?? []) ?? null;
    const filtered = `${items.text}.where(${holds.text})`;
    const count = this.dice(4);
    switch (this.dice(8)) {
      case 0:
        return { text: `${filtered}.Count`, worth: (it) => some(it)?.length ?? null };
      case 6: {
        const left = (it: Thing): number[] | null =>
          latest(items.of(it))
            ?.slice(count)
            .filter(holds.worth)
            .flatMap((item) => one.worth(item) ?? []) ?? null;
        const text = `${items.text}.skip(${count}).where(${holds.text}).sum(${one.text})`;
        return { text, worth: (it) => left(it)?.reduce((a, b) => a + b, 0) ?? null };
      }
      case 7: {
        const each = (it: Thing): Set<Maybe<number>> => new Set(latest(items.of(it))?.map(one.worth));
        const worth = (it: Thing): Maybe<number> =>
          items.of(it) && [...each(it)].slice(0, count).filter((value) => (value ?? 0) > 2).length;
        return { text: `${items.text}.select(${one.text}).distinct().take(${count}).where(it>2).count()`, worth };
      }
      case 1:
        return { text: `${filtered}.sum(${one.text})`, worth: (it) => numbers(it)?.reduce((a, b) => a + b, 0) ?? null };
      case 2:
        return { text: `${filtered}.select(${one.text}).Max()`, worth: (it) => most(numbers(it), 1) };
      case 3:
        return { text: `${filtered}.min(${one.text})`, worth: (it) => most(numbers(it), -1) };
      case 4:
        return {
          text: `${items.text}.select(${one.text}).where(it>2).count()`,
          worth: (it) => items.of(it)?.filter((item) => (one.worth(item) ?? 0) > 2).length ?? null,
        };
      default:
        return {
          text: `${filtered}.first().id`,
          worth: (it) => (latest(some(it))?.[0]?.id as number) ?? null,
        };
    }
  }

  text(kind: string, depth: number): Expression<Maybe<string>> {
    const { dice } = this;
    switch (dice(depth <= 0 ? 3 : 6)) {
      case 0: {
        const word = pick(dice, words);
        return { text: quoted(word), worth: () => word };
      }
      case 1:
      case 2: {
        const path = this.path(kind, () => true)!;
        const name = pick(
          dice,
          kinds[path.kind]!.texts.filter((one) => one !== 'units'),
        );
        return { text: `${path.text}${name}`, worth: (it) => valueAt(path.to(it), name) as Maybe<string> };
      }
      case 3: {
        const [one, other] = [this.text(kind, depth - 1), this.text(kind, depth - 1)];
        return { text: `(${one.text}+${other.text})`, worth: (it) => (one.worth(it) ?? '') + (other.worth(it) ?? '') };
      }
      case 4: {
        const one = this.text(kind, depth - 1);
        const from = dice(9);
        const worth = (it: Thing): Maybe<string> =>
          characters(one.worth(it))
            ?.slice(from, from + 4)
            .join('') ?? null;
        return { text: `(${one.text}).Substring(${from},4)`, worth };
      }
      default: {
        const one = this.text(kind, depth - 1);
        return { text: `IFNONE(${one.text},'none')`, worth: (it) => one.worth(it) ?? 'none' };
      }
    }
  }

  /** References that lead to a kind that fits. */
  private path(kind: string, fits: (kind: string) => boolean): Path | undefined {
    let path = start(kind);
    for (let step = this.dice(4); step > 0; step--) {
      const { references } = kinds[path.kind]!;
      if (references.length === 0) break;
      if (this.dice(6) === 0) {
        path = this.chosen(path);
        continue;
      }
      const name = pick(this.dice, references);
      const { to, text } = path;
      path = { kind: kindAt(path.kind, name), text: `${text}${name}.`, to: (it) => targetOf(to(it), name) };
    }
    if (fits(path.kind)) return path;
    const own = kinds[kind]!.references.find((name) => fits(kindAt(kind, name)));
    return own ? { kind: kindAt(kind, own), text: `${own}.`, to: (it) => targetOf(it, own) } : undefined;
  }

  /** A reference, or what stands behind it in another way. */
  private chosen(path: Path): Path {
    const { references } = kinds[path.kind]!;
    const name = pick(this.dice, references);
    const target = kindAt(path.kind, name);
    const ways = references.map((one) => {
      const middle = kindAt(path.kind, one);
      return [one, kinds[middle]!.references.find((end) => kindAt(middle, end) === target)] as const;
    });
    const [between, other] = ways.find(([, end]) => end) ?? [];
    const to =
      (step: string) =>
      (it: Thing): Maybe<Thing> =>
        targetOf(path.to(it), step);
    const further = (it: Thing): Maybe<Thing> => (between && other ? targetOf(to(between)(it), other) : null);
    const text = between && other ? `${path.text}${between}.${other}` : 'null';
    if (this.dice(2) === 0)
      return { kind: target, text: `IFNONE(${path.text}${name},${text}).`, to: (it) => to(name)(it) ?? further(it) };
    const id = `${path.text}id>1200`;
    const isLate = (it: Thing): boolean => Number(path.to(it)?.id ?? 0) > 1200;
    return {
      kind: target,
      text: `IIF(${id},${path.text}${name},${text}).`,
      to: (it) => (isLate(it) ? to(name)(it) : further(it)),
    };
  }

  private items(kind: string) {
    const from = this.path(kind, (one) => kinds[one]!.collections.length > 0) ?? start(kind);
    const { collections } = kinds[from.kind]!;
    if (collections.length === 0) return undefined;
    const name = pick(this.dice, collections);
    return {
      kind: kindAt(from.kind, name),
      text: `${from.text}${name}`,
      of: (it: Thing) => itemsOf(from.to(it), name),
    };
  }
}

interface Path {
  kind: string;
  /** With a point at its end, unless there is no step. */
  text: string;
  to: (it: Thing) => Maybe<Thing>;
}

const start = (kind: string): Path => ({ kind, text: '', to: (it) => it });

/** Nothing has no order; it equals itself and differs from all else. */
const comparisons: [string, (one: Maybe<number>, other: Maybe<number>) => boolean][] = [
  ['==', (one, other) => isSame(one, other)],
  ['<>', (one, other) => !isSame(one, other)],
  ['<', (one, other) => holdsFor('lt', one, other)],
  ['>=', (one, other) => holdsFor('gte', one, other)],
];

const isSame = (one: Value, other: Value): boolean =>
  one === null || other === null ? one === other : holdsFor('eq', one, other);

const reckonings: [string, (one: number, other: number) => number][] = [
  ['+', (one, other) => one + other],
  ['-', (one, other) => one - other],
  ['*', (one, other) => one * other],
];

const latest = (items: Thing[] | null): Thing[] | null =>
  items?.toSorted((a, b) => Number(b.id) - Number(a.id)) ?? null;

/** Characters, not halves of them. */
const characters = (text: Maybe<string>): Maybe<string[]> => (text === null ? null : [...text]);
const length = (text: Maybe<string>): Maybe<number> => characters(text)?.length ?? null;
const most = (numbers: number[] | null, sign: 1 | -1): Maybe<number> =>
  numbers === null || numbers.length === 0 ? null : sign * Math.max(...numbers.map((one) => sign * one));
