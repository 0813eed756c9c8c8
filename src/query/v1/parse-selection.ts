/** Turns `include`, `exclude` and `append` into a Selection; the first two cannot be used together. */
import { LRUCache } from 'lru-cache';
import { badAggregate, includeWithExclude } from '../../errors.js';
import { aggregations, rowOfAggregate, takesValue } from '../aggregates.js';
import type { AggregateName, IncludeItem, Selection } from './query.js';
import { isCustomFields, Scanner, scanBracketed, scanList, scanName } from './scanner.js';

export interface SelectionTexts {
  include?: string;
  exclude?: string;
  append?: string;
}

/** Programs ask for the same fields with ever new filters: what was parsed is kept by its text. Nobody changes it. */
const kept = new LRUCache<string, Selection>({ max: 500 });

export function parseSelection(texts: SelectionTexts): Selection {
  const key = JSON.stringify([texts.include, texts.exclude, texts.append]);
  const cached = kept.get(key);
  if (cached) return cached;
  const selection = parsed(texts);
  kept.set(key, selection);
  return selection;
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
