/**
 * Keeps what was compiled, for both versions, in so many bytes whatever is asked for. Statements are kept by the parsed
 * query that they were compiled from, once that comes again. What the items of a page look like depends on the
 * selection alone: it is spelled once, and a filter, an order or a page that was never asked for before costs itself
 * only.
 */
import { LRUCache } from 'lru-cache';
import { Bound } from '../../bound.js';
import { type Parameter, type Statement } from '../../sql.js';
import { cacheLimits, kept } from '../limits.js';
import type { Plan } from '../meaning.js';
import type { Where } from '../v1/query.js';
import type { Compiling } from './compiling.js';
import { compilePage, type SpelledItems } from './page.js';

/** Items of pages, resolved, scoped and spelled. */
export interface Items {
  plan: Plan;
  spelled: SpelledItems;
}

interface KeptItems extends Items {
  number: number;
}

export class StatementCache {
  private readonly byQuery = lru<object>(cacheLimits.statements, bytesOf);
  private readonly items = lru<KeptItems>(cacheLimits.items, itemBytes);
  private readonly texts = lru<string>(cacheLimits.texts, bytesOf);
  /** Statements of lists by the shape of their filter. */
  private readonly shapes = lru<Statement>(cacheLimits.texts, bytesOf);
  private readonly numbers = new WeakMap<object, number>();
  private given = 0;
  private version = -1;
  /** How statements were come by: kept with their query, with a filter of the same shape, or compiled. */
  readonly lookups = { hit: 0, shape: 0, miss: 0 };

  /** What was kept is dropped when the definitions of custom fields change, which are compiled in. */
  constructor(private readonly definitions: { readonly version: number }) {}

  /**
   * `key`: all that it depends on besides the query. What is compiled first for a query is not kept: most queries never
   * come again, and would push out those that do.
   */
  of<T extends object>(query: object, key: string, compile: () => T): T {
    this.dropOutdated();
    const number = this.numbers.get(query);
    const whole = `${number} ${key}`;
    const cached = number === undefined ? undefined : (this.byQuery.get(whole) as T | undefined);
    if (cached) {
      this.lookups.hit += 1;
      return cached;
    }
    const { shape } = this.lookups;
    const made = compile();
    if (this.lookups.shape === shape) this.lookups.miss += 1;
    if (number === undefined) this.numbers.set(query, this.nextNumber());
    else this.byQuery.set(whole, made);
    return made;
  }

  /** `key`: all that items depend on besides the selection, which is the same object for the same text. */
  itemsOf(selection: object, key: string, make: () => Items): KeptItems {
    this.dropOutdated();
    const number = kept<object, number>(this.numbers, selection, () => this.nextNumber());
    return kept<string, KeptItems>(this.items, `${number} ${key}`, () => ({ number: this.nextNumber(), ...make() }));
  }

  /**
   * One statement for all filters whose words are read in the same way. `key`: all that it depends on besides the items
   * and these words. Errors: those of `compile`.
   */
  ofShape({ number }: KeptItems, key: string, where: Where | undefined, compile: () => Statement): Statement {
    if (!where || where.free.length === 0) return compile();
    const whole = `${number} ${key}`;
    const cached = this.shapes.get(whole);
    const rebound = cached && reboundTo(where.words, cached);
    if (rebound) {
      this.lookups.shape += 1;
      return rebound;
    }
    const made = compile();
    if (bindsAll(where.free, made)) this.shapes.set(whole, made);
    return made;
  }

  /** The same statement as `compilePage` makes. */
  page(plan: Plan, { number, spelled }: KeptItems, to: Compiling): Statement {
    return compilePage(plan, spelled, to, (key, make) => kept<string, string>(this.texts, `${number} ${key}`, make));
  }

  private nextNumber(): number {
    this.given += 1;
    return this.given;
  }

  private dropOutdated(): void {
    if (this.version === this.definitions.version) return;
    this.version = this.definitions.version;
    for (const cache of [this.byQuery, this.items, this.texts, this.shapes]) cache.clear();
  }
}

/** What something that is kept takes of the memory of the process, at most. It refers to nothing of the model. */
function bytesOf(of: unknown): number {
  // Texts with letters beyond Latin-1 take two bytes a character.
  if (typeof of === 'string') return 32 + 2 * of.length;
  if (of instanceof Bound) return wordBytes * (1 + of.places.length);
  if (typeof of !== 'object' || of === null) return 16;
  return Object.values(of).reduce<number>((sum, part) => sum + bytesOf(part), 64);
}

/** A value that is read from a word of a filter, with the functions that read it. */
const wordBytes = 512;

/** The plan, whose parts are those of the model, takes no more than the text; of few fields, some KiB. */
const itemBytes = ({ spelled }: Items): number => 4096 + 2 * bytesOf(spelled.item);

const lru = <Kept extends object | string>(maxSize: number, size: (one: Kept) => number): LRUCache<string, Kept> =>
  new LRUCache({ maxSize, sizeCalculation: (one, key) => bytesOf(key) + size(one) });

/** Undefined where a word has to be compiled in another way, or refused. */
function reboundTo(words: readonly string[], statement: Statement): Statement | undefined {
  const parameters: Parameter[] = [];
  for (const parameter of statement.parameters) {
    if (parameter.kind === 'late' || !parameter.bound) parameters.push(parameter);
    else {
      const value = Bound.reread(parameter.bound, words);
      if (value === undefined) return undefined;
      parameters.push({ kind: 'value', value });
    }
  }
  return { ...statement, parameters };
}

/** Each of these words is one that the statement binds: nothing of them is a part of its text. */
function bindsAll(places: readonly number[], { parameters }: Statement): boolean {
  const bound = new Set(
    parameters.flatMap((parameter) => (parameter.kind === 'value' && parameter.bound?.places) || []),
  );
  return places.every((place) => bound.has(place));
}
