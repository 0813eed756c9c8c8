/**
 * Keeps what was compiled, for both versions. Statements live as long as the parsed query that they were compiled from.
 * What the items of a page look like depends on the selection alone: it is spelled once, and a filter, an order or a
 * page that was never asked for before costs itself only.
 */
import { LRUCache } from 'lru-cache';
import { Bound } from '../../bound.js';
import { continued, type Parameter, type Statement, statement } from '../../sql.js';
import { affordable, cacheLimits } from '../limits.js';
import type { Plan } from '../meaning.js';
import type { Where } from '../v1/query.js';
import type { Compiling } from './compiling.js';
import { valuesMatter } from './forms.js';
import { firstPage, isGlued, isJoined, pageParts, type SpelledItems } from './page.js';

/** Items of pages, resolved and scoped; `spell` makes their texts. */
export interface Items {
  plan: Plan;
  spell: (isJoined: boolean) => SpelledItems;
}

interface KeptItems {
  number: number;
  plan: Plan;
  spelled: (isJoined: boolean) => SpelledItems;
  /** First parts of statements: so many as there are lengths of pages that clients ask for, and orders of two kinds. */
  heads: LRUCache<string, Head>;
}

interface Head {
  number: number;
  statement: Statement;
}

export class StatementCache {
  private byQuery = new WeakMap<object, Map<string, object>>();
  private readonly items = new LRUCache<string, KeptItems>({ max: cacheLimits.items });
  private readonly texts = new LRUCache<string, string>({
    max: cacheLimits.texts,
    maxSize: cacheLimits.textBytes,
    sizeCalculation: ({ length }) => length,
  });
  /** Statements of lists by the shape of their filter. */
  private readonly shapes = new LRUCache<string, Statement>({
    max: cacheLimits.texts,
    maxSize: cacheLimits.textBytes,
    sizeCalculation: ({ text }) => text.length,
  });
  private readonly numbers = new WeakMap<object, number>();
  private given = 0;
  private version = -1;
  /** How statements were come by: kept with their query, with a filter of the same shape, or compiled. */
  readonly lookups = { hit: 0, shape: 0, miss: 0 };

  /** What was kept is dropped when the definitions of custom fields change, which are compiled in. */
  constructor(private readonly definitions: { readonly version: number }) {}

  /** `key`: all that it depends on besides the query. */
  of<T extends object>(query: object, key: string, compile: () => T): T {
    this.dropOutdated();
    const byKey = this.byQuery.get(query) ?? new Map<string, object>();
    const cached = byKey.get(key) as T | undefined;
    if (cached) {
      this.lookups.hit += 1;
      return cached;
    }
    const { shape } = this.lookups;
    const made = compile();
    if (this.lookups.shape === shape) this.lookups.miss += 1;
    this.byQuery.set(query, byKey.set(key, made));
    return made;
  }

  /** `key`: all that items depend on besides the selection, which is the same object for the same text. */
  itemsOf(selection: object, key: string, make: () => Items): KeptItems {
    this.dropOutdated();
    const number = kept<object, number>(this.numbers, selection, () => this.nextNumber());
    return kept<string, KeptItems>(this.items, `${number} ${key}`, () => {
      const { plan, spell } = make();
      const bySpelling: SpelledItems[] = [];
      const spelled = (isJoined: boolean): SpelledItems => (bySpelling[Number(isJoined)] ??= spell(isJoined));
      return { number: this.nextNumber(), plan, spelled, heads: new LRUCache({ max: cacheLimits.heads }) };
    });
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
  page(plan: Plan, items: KeptItems, to: Compiling): Statement {
    const joined = isJoined(plan);
    const spelled = items.spelled(joined);
    const { kind, head, rest } = pageParts(plan, spelled, to);
    const begun = kept<string, Head>(items.heads, `${joined} ${kind}`, () => ({
      number: this.nextNumber(),
      statement: statement(head()),
    }));
    const { text, parameters } = continued(rest, begun.statement);
    return {
      text: this.once(begun, text, firstPage(plan, spelled, to)),
      parameters,
      isPlannedEachTime: valuesMatter(plan),
      isLong: !isGlued(plan.page, spelled.size),
    };
  }

  /**
   * Filters that differ in their values only have one text: it is kept once, however many statements have it, and what
   * it costs is reckoned once.
   */
  private once({ number, statement }: Head, rest: string, first?: () => Statement): string {
    return kept<string, string>(
      this.texts,
      `${number} ${rest}`,
      () => affordable({ text: statement.text + rest }, first).text,
    );
  }

  private nextNumber(): number {
    this.given += 1;
    return this.given;
  }

  private dropOutdated(): void {
    if (this.version === this.definitions.version) return;
    this.version = this.definitions.version;
    this.byQuery = new WeakMap();
    this.items.clear();
    this.shapes.clear();
  }
}

interface Cache<Key, Kept> {
  get(key: Key): Kept | undefined;
  set(key: Key, value: Kept): unknown;
}

function kept<Key, Kept>(cache: Cache<Key, Kept>, key: Key, make: () => Kept): Kept {
  const cached = cache.get(key);
  if (cached !== undefined) return cached;
  const made = make();
  cache.set(key, made);
  return made;
}

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
