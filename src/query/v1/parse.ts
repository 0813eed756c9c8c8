/** Turns the parameters of a request into a Query: all that the client asks for. */
import { LRUCache } from 'lru-cache';
import { ApiError, badAggregate, includeWithExclude, tooMuch } from '../../errors.js';
import { aggregations, rowOfAggregate, takesValue } from '../aggregates.js';
import { kept, keptTexts, limits } from '../limits.js';
import { type Comparison, comparisonNames, type PartRow, partOperators } from '../operators.js';
import { type Parameters, parsePage } from '../parameters.js';
import type { AggregateName, Filter, IncludeItem, Literal, OrderBy, Path, Query, Selection, Where } from './query.js';
import {
  type Gap,
  isCustomFields,
  Scanner,
  scanBracketed,
  scanList,
  scanName,
  scanPath,
  scanSeparated,
  scanValue,
  type Word,
} from './scanner.js';

export function parseQuery(parameters: Parameters): Query {
  const where = parameters.get('where');
  return {
    // The `result…` twins shape the answers of writes.
    selection: parseSelection({
      include: parameters.get('include') ?? parameters.get('resultinclude'),
      exclude: parameters.get('exclude') ?? parameters.get('resultexclude'),
      append: parameters.get('append') ?? parameters.get('resultappend'),
    }),
    where: where === undefined ? undefined : parseWhere(where),
    order: parseOrder({ orderBy: parameters.get('orderby'), orderByDesc: parameters.get('orderbydesc') }),
    page: parsePage({ take: parameters.get('take'), skip: parameters.get('skip') }),
    inner: parsePage(
      { take: parameters.get('innertake'), skip: parameters.get('innerskip') },
      { take: 'innerTake', skip: 'innerSkip' },
    ),
  };
}

export interface OrderTexts {
  orderBy?: string;
  orderByDesc?: string;
}

export function parseOrder({ orderBy, orderByDesc }: OrderTexts): OrderBy[] {
  const order = [...orders('orderBy', orderBy, false), ...orders('orderByDesc', orderByDesc, true)];
  if (order.length > limits.orders) throw tooMuch('orderBy', 'too many fields', limits.orders);
  return order;
}

const directions = new Map([
  ['asc', { descending: false }],
  ['ascending', { descending: false }],
  ['desc', { descending: true }],
  ['descending', { descending: true }],
]);

function orders(parameter: OrderBy['parameter'], text: string | undefined, descending: boolean): OrderBy[] {
  if (text === undefined) return [];
  const scanner = new Scanner(parameter, text);
  let path: Path = [];
  const one = () => {
    scanner.spend('orders');
    path = scanPath(scanner);
    return { path, ...(scanner.takeFrom(directions) ?? { descending }), parameter };
  };
  return scanList(scanner, one, () => quotesHint(path));
}

// --- `where`, or where it stops making sense -------------------------------------------------------------------------

export function parseWhere(text: string): Where {
  const scanner = new Scanner('where', text);
  const filter = filterIn(scanner);
  return { filter, words: scanner.words.map((word) => word.text), ...shapeOf(text, scanner.words) };
}

/** What the grammar wants where a text ends, or where it goes wrong before. */
export function wantedBehind(text: string): Gap {
  const scanner = new Scanner('where', text);
  try {
    filterIn(scanner);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
  return scanner.gap;
}

function filterIn(scanner: Scanner): Filter {
  const filter = anyOf(scanner);
  scanner.end(`'and', 'or' or the end${wordsHint(scanner)}`);
  return filter;
}

/** What may stand for something else than itself. */
const special = /^\s*(?:null|@?(?:today|tomorrow|yesterday))/i;

function shapeOf(text: string, words: readonly Word[]): Pick<Where, 'shape' | 'free'> {
  const free: number[] = [];
  let shape = '';
  let done = 0;
  for (const [place, word] of words.entries()) {
    if (special.test(word.text)) continue;
    free.push(place);
    shape += `${text.slice(done, word.start)}\0`;
    done = word.end;
  }
  return { free, shape: shape + text.slice(done) };
}

const anyOf = (scanner: Scanner): Filter => joined('or', allOf, scanner);
const allOf = (scanner: Scanner): Filter => joined('and', factor, scanner);

/** One part stays itself, and parts of the same kind melt into one: `(a and b) and c` has three. */
function joined(kind: 'and' | 'or', part: (scanner: Scanner) => Filter, scanner: Scanner): Filter {
  const parts = [part(scanner)];
  while (scanner.takeWord(kind)) parts.push(part(scanner));
  if (parts.length === 1) return parts[0]!;
  return { kind, parts: parts.flatMap((filter) => (filter.kind === kind ? filter.parts : [filter])) };
}

function factor(scanner: Scanner): Filter {
  scanner.want('path');
  if (scanner.take('(')) return group(scanner);
  if (scanner.takeCall('not')) return { kind: 'not', part: group(scanner) };
  scanner.spend('conditions');
  const filter = condition(scanner, scanPath(scanner));
  scanner.want('joiner');
  return filter;
}

/** What follows an opening parenthesis, up to the closing one. */
function group(scanner: Scanner): Filter {
  const filter = scanner.within('nesting', () => anyOf(scanner));
  if (!scanner.take(')')) throw scanner.unexpected(`'and', 'or' or ')'${wordsHint(scanner)}`);
  scanner.want('joiner');
  return filter;
}

/** Two words without quotes were probably meant as one text. */
function wordsHint({ words, text }: Scanner): string {
  const { start, end } = words.at(-1) ?? { start: 0, end: 0 };
  const areTwo = /^\p{L}/u.test(text.slice(start, end)) && /^\s+\p{L}/u.test(text.slice(end));
  return areTwo ? ' (a text of several words stands in quotes)' : '';
}

function condition(scanner: Scanner, path: Path): Filter {
  scanner.want('operator', path);
  const operator = scanner.takeFrom(operators) ?? scanner.takeBeforeNumber(comparing);
  if (!operator) throw scanner.unexpected(`an operator such as 'eq' or 'contains'${quotesHint(path)}`);
  return operator(scanner, path);
}

/** A custom field whose name has blanks was probably meant. */
const quotesHint = (path: Path): string =>
  path.slice(0, -1).some(isCustomFields)
    ? ` (a name with blanks stands in quotes, such as 'CustomFields.Release Notes')`
    : '';

type Operator = (scanner: Scanner, path: Path) => Filter;

const compare =
  (operator: Comparison): Operator =>
  (scanner, path) => ({ kind: 'compare', path, operator, value: oneValue(scanner) });

const contains =
  (part: PartRow, negated: boolean): Operator =>
  (scanner, path) => ({ kind: 'contains', path, negated, value: oneValue(scanner), operator: part });

const partWords = (negated: boolean): [string, Operator][] =>
  partOperators.flatMap((part) => (part.word ? [[part.word, contains(part, negated)]] : []));

const isIn =
  (negated: boolean): Operator =>
  (scanner, path) => ({ kind: 'in', path, negated, values: values(scanner) });

const isNull: Operator = (scanner, path) => {
  const negated = scanner.takeWord('not');
  // Programs in Ruby write nil.
  if (!scanner.takeWord('null') && !scanner.takeWord('nil'))
    throw scanner.unexpected(negated ? "'null'" : "'null' or 'not null'");
  return { kind: 'null', path, negated };
};

const isNot: Operator = (scanner, path) => {
  const operator = scanner.takeFrom(negatedOperators);
  if (!operator) throw scanner.unexpected([...negatedOperators.keys()].map((word) => `'${word}'`).join(' or '));
  return operator(scanner, path);
};

const negatedOperators = new Map<string, Operator>([['in', isIn(true)], ...partWords(true)]);

const comparing = new Map(comparisonNames.map((name): [string, Operator] => [name, compare(name)]));

const operators = new Map<string, Operator>([
  ...comparing,
  ...partWords(false),
  ['in', isIn(false)],
  ['is', isNull],
  ['not', isNot],
]);

function oneValue(scanner: Scanner): Literal {
  scanner.want('value');
  return scanValue(scanner);
}

function values(scanner: Scanner): Literal[] {
  scanner.want('opening');
  const isBracketed = scanner.take('[');
  if (!isBracketed && !scanner.take('(')) throw scanner.unexpected("'('");
  const closing = isBracketed ? ']' : ')';
  let count = 0;
  const values = scanSeparated(scanner, () => {
    scanner.check('listValues', ++count);
    scanner.want('listValue');
    const value = scanValue(scanner);
    scanner.want('separator');
    return value;
  });
  if (!scanner.take(closing)) throw scanner.unexpected(`',' or '${closing}'`);
  return values;
}

// --- `include`, `exclude` and `append`; the first two cannot be used together ----------------------------------------

interface SelectionTexts {
  include?: string;
  exclude?: string;
  append?: string;
}

/** Programs ask for the same fields with ever new filters: what was parsed is kept by its text. Nobody changes it. */
const selections = new LRUCache<string, Selection>(keptTexts(16));

export function parseSelection(texts: SelectionTexts): Selection {
  const key = JSON.stringify([texts.include, texts.exclude, texts.append]);
  return kept<string, Selection>(selections, key, () => parsed(texts));
}

function parsed({ include, exclude, append }: SelectionTexts): Selection {
  if (include !== undefined && exclude !== undefined) throw includeWithExclude();
  return {
    include: include === undefined ? undefined : parseInclude(include),
    exclude: exclude === undefined ? undefined : parseExclude(exclude),
    append: append === undefined ? [] : parseAppend(append),
  };
}

export function parseInclude(text: string): IncludeItem[] {
  const scanner = new Scanner('include', text);
  return merged(scanner.within('depth', () => scanList(scanner, () => item(scanner))));
}

export function parseExclude(text: string): string[] {
  const scanner = new Scanner('exclude', text);
  const name = () => {
    scanner.spend('includeItems');
    return scanName(scanner);
  };
  return firstOfEach(scanList(scanner, name), (one) => one);
}

export function parseAppend(text: string): AggregateName[] {
  const scanner = new Scanner('append', text);
  const aggregate = () => {
    scanner.spend('aggregates');
    const name = scanName(scanner);
    const aggregate = aggregateOf(name);
    if (!aggregate) throw badAggregate(name, aggregateForms);
    return aggregate;
  };
  return firstOfEach(scanList(scanner, aggregate), ({ name }) => name);
}

const aggregateForms =
  'write Collection-Count, such as Tasks-Count, or Collection-Field-Sum (also Avg, Min, Max), such as Bugs-Effort-Sum';

const byWord = new Map(aggregations.map((name) => [rowOfAggregate(name).word.toLowerCase(), name]));

/** A collection stands before it, and a field where a value is taken. */
function aggregateOf(name: string): AggregateName | undefined {
  const parts = name.split('-');
  const aggregate = byWord.get(parts.pop()!.toLowerCase());
  if (!aggregate || parts.includes('') || parts.length !== (takesValue(aggregate) ? 2 : 1)) return undefined;
  const [collection, field] = parts;
  return { name, collection: collection!, field, function: aggregate };
}

function item(scanner: Scanner, isCustom = false): IncludeItem {
  scanner.spend('includeItems');
  const name = scanName(scanner, isCustom);
  const aggregate = isCustom ? undefined : aggregateOf(name);
  if (aggregate) {
    scanner.spend('aggregates');
    return { name, aggregate };
  }
  if (!scanner.take('[')) return { name };
  const one = () => item(scanner, isCustomFields(name));
  return { name, inner: scanner.within('depth', () => scanBracketed(scanner, one)) };
}

/** One item for each name: the first, with the inner items of all that have some. */
const merged = (items: readonly IncludeItem[]): IncludeItem[] =>
  byName(items, ({ name }) => name).map((same) => {
    const inner = same.flatMap((one) => (one.inner ? [one.inner] : []));
    return inner.length === 0 ? same[0] : { ...same[0], inner: merged(inner.flat()) };
  });

const firstOfEach = <Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] =>
  byName(items, nameOf).map(([first]) => first);

/** Names are the same in any letter case. */
function byName<Item>(items: readonly Item[], nameOf: (item: Item) => string): [Item, ...Item[]][] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const one of items) {
    const key = nameOf(one).toLowerCase();
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}
