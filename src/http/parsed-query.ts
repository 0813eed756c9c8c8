/**
 * What a query text asks for, worked out once: the same text always gives the same object, which compiled statements
 * are kept with. Credentials are no part of it, so that neither they nor a request of their own for each of them is
 * remembered.
 */
import { LRUCache } from 'lru-cache';
import { keptTexts } from '../query/limits.js';
import { type KnownParameter, type OfVersion2, type Parameters, parseParameters } from '../query/parameters.js';
import { parseQuery } from '../query/v1/parse.js';
import type { Query } from '../query/v1/query.js';
import type { Spelling } from '../representation/representation.js';
import { AdmissionFilter } from './admission-filter.js';
import { datesOf } from './dates.js';
import { withoutCredentials } from './query-credential.js';

export class ParsedQuery {
  /** What to use in place of parameters that say nothing in version 1, as the value of a header `Warning`. */
  readonly warning: string | undefined;

  constructor(readonly parameters: Parameters) {
    const ignored = parameters.ignored.map((name) => `${name} (use ${insteadOf[name]})`);
    this.warning = ignored.length > 0 ? `199 worktrack "Version 1 ignores ${ignored.join(', ')}."` : undefined;
  }

  #query: Query | undefined;
  /** What part of the data: include, exclude, append, where, order and page. Errors: 400. */
  get query(): Query {
    this.#query ??= parseQuery(this.parameters);
    return this.#query;
  }

  #dates: Spelling['dates'] | undefined;
  get dates(): Spelling['dates'] {
    this.#dates ??= datesOf(this.parameters);
    return this.#dates;
  }

  #repeated: string | undefined;
  /**
   * Everything that shapes the answer, with canonical names in a fixed order, for links to other pages:
   * `where=…&format=json&`.
   */
  get repeated(): string {
    this.#repeated ??= spelled(this.parameters, [...content, ...style, ...context]);
    return this.#repeated;
  }

  #style: string | undefined;
  /** What says how an answer looks, for links within an answer that is of no context. */
  get repeatedStyle(): string {
    this.#style ??= spelled(this.parameters, style);
    return this.#style;
  }

  /** The same of an answer that is of a context. */
  get repeatedContext(): string {
    return spelled(this.parameters, [...style, ...context]);
  }
}

const insteadOf: Readonly<Record<OfVersion2, string>> = {
  filter: 'where',
  select: 'include',
  result: 'append, or /api/v2',
  groupBy: '/api/v2',
};

/**
 * By the text as it came, and by what it says: a client that sends a number of its own along each time says the same.
 */
const byText = new LRUCache<string, ParsedQuery>(keptTexts(32));
const byMeaning = new LRUCache<string, ParsedQuery>(keptTexts(32));

/**
 * The text is what stands behind the question mark, as it came; `own` are the parameters of its address alone. Errors:
 * 400 for what is not well formed.
 */
export function parsedQueryFrom(rawQuery: string, own?: readonly string[]): ParsedQuery {
  const text = withoutCredentials(rawQuery);
  const cached = byText.get(text);
  if (cached) return cached;
  const parameters = parseParameters(text, own);
  const { key } = parameters;
  const asked = byMeaning.get(key) ?? new ParsedQuery(parameters);
  if (meanings.knows(key)) byMeaning.set(key, asked);
  if (texts.knows(text)) byText.set(text, asked);
  return asked;
}

const [texts, meanings] = [new AdmissionFilter(), new AdmissionFilter()];

const content: [KnownParameter, string][] = [
  ['where', 'where'],
  ['orderby', 'orderBy'],
  ['orderbydesc', 'orderByDesc'],
  ['include', 'include'],
  ['exclude', 'exclude'],
  ['append', 'append'],
  ['resultinclude', 'resultInclude'],
  ['resultexclude', 'resultExclude'],
  ['resultappend', 'resultAppend'],
  ['innertake', 'innerTake'],
  ['innerskip', 'innerSkip'],
];

const style: [KnownParameter, string][] = [
  ['dateformat', 'dateformat'],
  ['isodate', 'isodate'],
  ['format', 'format'],
  ['resultformat', 'resultFormat'],
  ['consistency', 'consistency'],
];

const context: [KnownParameter, string][] = [['acid', 'acid']];

function spelled(parameters: Parameters, names: readonly [KnownParameter, string][]): string {
  let text = '';
  for (const [spelling, canonical] of names) {
    const value = parameters.get(spelling);
    if (value !== undefined) text += `${canonical}=${encodeURIComponent(value)}&`;
  }
  return text;
}
