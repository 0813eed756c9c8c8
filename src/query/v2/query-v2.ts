/** What a request of version 2 says, its expressions as trees. The same text always gives an equal one. */
import { badRequest, malformed } from '../../errors.js';
import { nearest } from '../../texts/near.js';
import { cut } from '../../texts/quoted-text.js';
import type { Page } from '../meaning.js';
import { isOff, isOfVersion1, isSwitchedOn, parameterTexts, parsePage } from '../parameters.js';
import type { Expression, Ordering, Property } from './expression.js';
import { parseExpression, parseOrderings, parseProperties } from './parse-expression.js';

/** An expression with the name of the parameter that holds it, and its text, which places count in. */
export interface ParsedParameter<T> {
  parameter: string;
  text: string;
  tree: T;
}

export interface QueryV2 {
  where?: ParsedParameter<Expression>;
  /** Plain text is looked for in names and ids; behind a question mark stands a condition. */
  filter?: { text: string } | ParsedParameter<Expression>;
  select?: ParsedParameter<Expression>;
  result?: ParsedParameter<Expression>;
  groupBy?: ParsedParameter<Property[]>;
  order: ParsedParameter<Ordering[]>[];
  page: Page;
  dates: 'ms' | 'iso' | 'local';
  includeDeleted: boolean;
  isPretty: boolean;
  /** All of it but the page, for links: `where=…&select=…&`. */
  repeated: string;
  /** The same, with as few characters encoded as there must be. */
  repeatedShort: string;
}

const names = [
  'where',
  'filter',
  'select',
  'result',
  'groupBy',
  'orderBy',
  'orderByDesc',
  'take',
  'skip',
  'format',
  'isoDate',
  'dateformat',
  'prettify',
  'includeDeleted',
  'consistency',
] as const;
type Name = (typeof names)[number];

const byLowerCase = new Map<string, Name>(names.map((name) => [name.toLowerCase(), name]));

/**
 * What keeps browsers from using an old answer, the `type` in links of the original, and what only version 1 knows, say
 * nothing here. Any other parameter that is not known could be a filter: what it would have left out must not be shown.
 */
function find(input: string): Name | undefined {
  const name = input.toLowerCase();
  if (name === '' || name === '_' || name === 'type') return undefined;
  const exact = byLowerCase.get(name);
  if (name !== 'include' && (exact || isOfVersion1(name))) return exact;
  const near = nearest(input, names);
  const message =
    name === 'include'
      ? "Parameter 'include' belongs to version 1; here use select, for example select={id,name,project.name}."
      : `Unknown parameter '${cut(input)}'.${near ? ` Did you mean '${near}'?` : ''} Known: ${names.join(', ')}. Within a value & is written %26.`;
  throw badRequest(message, 'UnknownParameter');
}

/** Errors: 400. */
export function parseQueryV2(rawQuery: string, maxBytes: number): QueryV2 {
  const values = parameterTexts(rawQuery, find, maxBytes);
  const get = (name: Name): string | undefined => values.get(name) || undefined;
  const parsed = <T>(name: Name, parse: (parameter: string, text: string) => T): ParsedParameter<T> | undefined => {
    const text = get(name);
    return text === undefined ? undefined : { parameter: name, text, tree: parse(name, text) };
  };
  const orders = [
    parsed('orderBy', parseOrderings),
    parsed('orderByDesc', (parameter, text) => parseOrderings(parameter, text, true)),
  ];
  return {
    where: parsed('where', parseExpression),
    filter: filterOf(get('filter')),
    select: parsed('select', parseExpression),
    result: parsed('result', parseExpression),
    groupBy: parsed('groupBy', parseProperties),
    order: orders.filter((order) => order !== undefined),
    page: parsePage({ take: get('take'), skip: get('skip') }),
    dates: datesOf(get('dateformat'), values.get('isoDate')),
    includeDeleted: flag('includeDeleted', values.get('includeDeleted')),
    isPretty: !isOff(values.get('prettify') ?? 'no'),
    repeated: repeatedOf(values, encodeURIComponent),
    repeatedShort: repeatedOf(values, encodedLittle),
  };
}

const nextParameter = new RegExp(`&(?=(?:${names.join('|')})=)`, 'i');

/** `where=…&select=…` as it stands in a path, where a plus is one and most ampersands are operators, as parameters. */
export const parametersInPath = (segment: string): string =>
  segment
    .split(nextParameter)
    .map((one) => one.replaceAll('&', '%26').replaceAll('+', '%2B'))
    .join('&');

function filterOf(text: string | undefined): QueryV2['filter'] {
  if (text === undefined) return undefined;
  if (!text.startsWith('?')) return { text };
  // The sign is blanked out, so that places count from the start of the parameter.
  const padded = ` ${text.slice(1)}`;
  if (padded.trim() === '') throw malformed('filter', 1, 'a condition', '');
  return { parameter: 'filter', text: padded, tree: parseExpression('filter', padded) };
}

/** Present without a value means yes. */
const flag = (name: string, text: string | undefined): boolean => text?.trim() === '' || isSwitchedOn(name, text);

function datesOf(format: string | undefined, isoDate: string | undefined): QueryV2['dates'] {
  const isLocal = flag('isoDate', isoDate);
  const word = format?.toLowerCase();
  if (word !== undefined && word !== 'iso' && word !== 'ms')
    throw badRequest("dateformat: use 'iso' or 'ms'.", 'InvalidParameter');
  if (word) return word;
  return isLocal ? 'local' : 'ms';
}

function repeatedOf(values: ReadonlyMap<Name, string>, encoded: (value: string) => string): string {
  let text = '';
  for (const name of names) {
    const value = values.get(name);
    if (value === undefined || name === 'take' || name === 'skip' || isOtherFormat(name, value)) continue;
    const isFlag = name === 'isoDate' || name === 'prettify' || name === 'includeDeleted';
    if (value !== '') text += `${name}=${encoded(value)}&`;
    else if (isFlag) text += `${name}=true&`;
  }
  return text;
}

/** Only a table leads to pages in a format of its own; other formats say nothing here. */
const isOtherFormat = (name: Name, value: string): boolean => name === 'format' && value.toLowerCase() !== 'csv';

/** Characters that say nothing of their own within a parameter, nor in a header or text that holds the link. */
const encodedLittle = (value: string): string =>
  value.replace(/[^\w\-.~!$'()*,/:;=?@[\]{}|" ]+/gu, encodeURIComponent).replaceAll(' ', '+');
