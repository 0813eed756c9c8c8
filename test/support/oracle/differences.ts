/**
 * Asks the service and says how the answer differs from what is expected, in few words; and makes a failing request
 * smaller.
 */
import type { Answer, TestApp } from '../app.js';
import { asXmlTells, type Element, itemOf, parseXml } from '../xml.js';
import { type Expected, expectedAnswer, namesDeleteDate } from './answers.js';
import type { Condition } from './conditions.js';
import { addressV1, addressV2, isOrderedInV2, isOwnAlone, type OracleRequest } from './requests.js';
import type { World } from './world.js';

export interface Difference {
  /** The request that is answered wrong. */
  address: string;
  what: string;
}

/** More than a request may cost: what it would have been answered with cannot be told. */
export const isTooMuch = ({ status, text }: Answer): boolean => status === 400 && text.includes('too much at once');

/** Undefined: JSON, XML, links and version 2 answer as expected. */
export async function differenceOf(
  request: OracleRequest,
  world: World,
  app: TestApp,
): Promise<Difference | undefined> {
  const expected = expectedAnswer(request, world);
  const ask = (path: string) => app.ask(path, { as: world.caller.login });
  const address = addressV1(request);
  const json = await ask(`${address}&format=json`);
  if (isTooMuch(json)) return undefined;
  const what = inJson(json, expected, request) ?? (await inXml(await ask(address), json, expected, request));
  if (what) return { address, what };
  for (const { link, to } of linksIn(json, request)) {
    const other = inJson(await ask(link.slice(app.base.length)), expectedAnswer(to, world), to);
    if (other) return { address: link, what: other };
  }
  if (!expected || !isSaidInV2(request)) return undefined;
  const v2 = addressV2(request);
  const other = inV2(await ask(v2), expected, request);
  return other ? { address: v2, what: other } : undefined;
}

// --- JSON ------------------------------------------------------------------------------------------------------------

function inJson(answer: Answer, expected: Expected | undefined, { route }: OracleRequest): string | undefined {
  const status = expected ? 200 : 404;
  if (answer.status !== status) return `status ${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`;
  if (!expected) return undefined;
  if (route.kind === 'one') return unlike(answer.json, expected.items[0]);
  const { Items, Next, Prev } = answer.json;
  return (
    unlike(ids(Items), ids(expected.items)) ??
    firstUnlike(Items, expected.items) ??
    unlike([Prev !== undefined, Next !== undefined], [expected.hasPrev, expected.hasNext])
  );
}

const ids = (items: readonly unknown[]): unknown[] => items.map((item) => (item as { Id: unknown }).Id);

function firstUnlike(items: readonly unknown[], expected: readonly unknown[]): string | undefined {
  for (const [at, item] of items.entries()) {
    const what = unlike(item, expected[at]);
    if (what) return what;
  }
  return undefined;
}

/** Order of members counts. Sums and averages may differ in their last places. */
function unlike(actual: unknown, expected: unknown): string | undefined {
  const [one, other] = [actual, expected].map((value) => JSON.stringify(value, comparable) ?? '');
  if (one === other) return undefined;
  const from = Math.max(0, [...one!].findIndex((character, at) => character !== other![at]) - 80);
  return `answered ${one!.slice(from, from + 300)}\nexpected ${other!.slice(from, from + 300)}`;
}

function comparable(name: string, value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(12));
  return name === 'Next' ? true : value;
}

// --- links -----------------------------------------------------------------------------------------------------------

interface Link {
  link: string;
  /** What it asks for. */
  to: OracleRequest;
}

/** Of some requests, the links to the pages beside this one and to the rest of a collection. */
function linksIn(answer: Answer, request: OracleRequest): Link[] {
  if (answer.status !== 200 || request.style % 3 !== 0) return [];
  const { page, route } = request;
  const items = route.kind === 'one' ? [answer.json] : answer.json.Items;
  const before = { ...page, take: Math.min(page.take, page.skip), skip: Math.max(0, page.skip - page.take) };
  const links = [
    { link: answer.json.Next, to: { ...request, page: { ...page, skip: page.skip + page.take } } },
    { link: answer.json.Prev, to: { ...request, page: before } },
  ];
  return [...links, ...innerLinks(items, request)].filter(({ link }) => link !== undefined);
}

function innerLinks(
  items: readonly Record<string, { Next?: string }>[],
  { resource, selection, inner }: OracleRequest,
) {
  return (selection.include?.fields ?? []).flatMap(({ field, inner: include }) => {
    if (field.kind !== 'collection') return [];
    const item = items.find((one) => one[field.name]?.Next !== undefined);
    if (!item) return [];
    const to: OracleRequest = {
      resource: field.target,
      route: { kind: 'inner', owner: resource, id: Number(item.Id), field },
      order: [],
      selection: { include, exclude: [], append: [] },
      page: { take: inner.take, skip: inner.skip + inner.take },
      inner: { take: 25, skip: 0 },
      style: 1,
    };
    return [{ link: String(item[field.name]!.Next), to }];
  });
}

// --- XML -------------------------------------------------------------------------------------------------------------

/** The items of both formats are the same, and so are their values. */
async function inXml(
  answer: Answer,
  json: Answer,
  expected: Expected | undefined,
  { resource, route }: OracleRequest,
): Promise<string | undefined> {
  if (answer.status !== json.status) return `status ${answer.status} in XML: ${answer.text.slice(0, 300)}`;
  if (!expected) return undefined;
  const root = await parseXml(answer.text);
  const exact = exactNumbers(localDates(json.text)) as { Items?: unknown[] };
  if (route.kind === 'one') return firstUnlike([itemOf(root)].map(unlinked), [exact].map(asXmlTells).map(unlinked));
  if (root.name !== resource.collection) return `the root in XML is ${root.name}`;
  const items = root.children.map(itemOf).map(unlinked);
  const links = (element: Element) => ['Prev', 'Next'].map((name) => element.attributes[name] !== undefined);
  return (
    unlike(items.length, exact.Items!.length) ??
    firstUnlike(items, exact.Items!.map(asXmlTells).map(unlinked)) ??
    unlike(links(root), [expected.hasPrev, expected.hasNext])
  );
}

/** Numbers keep their digits. */
const exactNumbers = (text: string): unknown =>
  JSON.parse(text.replace(/([:[,])(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?=[,}\]])/g, '$1"$2"'));

/** XML tells dates as the clocks of the zone show them. */
const localDates = (text: string): string =>
  text.replace(/Date\((-?\d+)([+-]\d\d)(\d\d)\)/g, (_, moment, hours, minutes) => {
    const offset = (Number(hours) * 60 + Math.sign(Number(hours)) * Number(minutes)) * 60_000;
    return `Date(${Number(moment) + offset}+0000)`;
  });

/**
 * What the formats do not share: links name the format, a list of none has no type in XML, and an attribute cannot be
 * nil.
 */
function unlinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? '' : value.map(unlinked);
  if (value === null || typeof value !== 'object') return value;
  const shared = Object.entries(value).filter(
    ([name, inner]) => name !== 'Next' && !(name === 'Name' && inner === null),
  );
  return Object.fromEntries(shared.map(([name, inner]) => [name, unlinked(inner)]));
}

// --- version 2 -------------------------------------------------------------------------------------------------------

/** What lists deleted rows has its own parameter there. */
const isSaidInV2 = ({ resource, route, where }: OracleRequest): boolean =>
  route.kind === 'list' && where !== undefined && !namesDeleteDate(where) && isOwnAlone(resource, where);

function inV2({ status, text }: Answer, { ids }: Expected, request: OracleRequest): string | undefined {
  if (status !== 200) return `status ${status}: ${text.slice(0, 300)}`;
  const all = isOrderedInV2(request) ? ids : ids.toSorted((a, b) => a - b);
  return unlike(JSON.parse(text).items, all.slice(0, 1000));
}

// --- smaller ---------------------------------------------------------------------------------------------------------

/** Leaves out what the difference does not need. */
export async function smaller(
  request: OracleRequest,
  isWrong: (request: OracleRequest) => Promise<boolean>,
): Promise<OracleRequest> {
  for (let tries = 60, current = request; ; ) {
    let next: OracleRequest | undefined;
    for (const one of simplerThan(current)) {
      if (tries-- <= 0) return current;
      if (await isWrong(one)) {
        next = one;
        break;
      }
    }
    if (!next) return current;
    current = next;
  }
}

const nothing = { fields: [], aggregates: [], customFields: false } as const;

function* simplerThan(request: OracleRequest): Generator<OracleRequest> {
  const { where, selection, order } = request;
  const { include, append, exclude } = selection;
  if (!include || include.fields.length + include.aggregates.length > 0 || append.length > 0 || include.customFields)
    yield { ...request, selection: { include: nothing, exclude: [], append: [] } };
  if (order.length > 0) yield { ...request, order: order.slice(1) };
  if (request.page.take !== 1000 || request.page.skip > 0) yield { ...request, page: { take: 1000, skip: 0 } };
  if (where) yield { ...request, where: undefined };
  for (const simpler of where ? parts(where) : []) yield { ...request, where: simpler };
  if (append.length > 0) yield { ...request, selection: { ...selection, append: append.slice(1) } };
  if (exclude.length > 0) yield { ...request, selection: { ...selection, exclude: exclude.slice(1) } };
  for (const at of include?.fields.keys() ?? [])
    yield {
      ...request,
      selection: { ...selection, include: { ...include!, fields: include!.fields.toSpliced(at, 1) } },
    };
}

function* parts(condition: Condition): Generator<Condition> {
  if (condition.kind === 'not') {
    yield condition.part;
    for (const part of parts(condition.part)) yield { kind: 'not', part };
  }
  if (condition.kind !== 'and' && condition.kind !== 'or') return;
  yield* condition.parts;
  for (const [at, one] of condition.parts.entries()) {
    if (condition.parts.length > 2) yield { ...condition, parts: condition.parts.toSpliced(at, 1) };
    for (const part of parts(one)) yield { ...condition, parts: condition.parts.with(at, part) };
  }
}
