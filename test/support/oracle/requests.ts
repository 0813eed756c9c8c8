/**
 * A request as a tree - whose rows, which of them, in which order, what of them - and how it is written for each
 * version.
 */

import type { CollectionField, Field, ReferenceField, ResourceType, ScalarField } from '../../../src/model/model.js';
import { diceOf } from '../dice.js';
import type { Condition, Operand, Step } from './conditions.js';
import { orderV2, SpellingV1, whereV2 } from './spelling.js';

export type Route =
  | { kind: 'list' }
  | { kind: 'one'; id: number }
  | { kind: 'inner'; owner: ResourceType; id: number; field: CollectionField };

export interface OrderTerm {
  path: readonly ReferenceField[];
  /** Without one, what the reference is called. */
  operand?: Operand;
  descending: boolean;
}

export type AggregateFunction = 'Count' | 'Sum' | 'Avg' | 'Min' | 'Max';

export interface Aggregate {
  collection: CollectionField;
  function: AggregateFunction;
  field?: ScalarField;
}

export interface Included {
  fields: readonly { field: Field; inner?: Included }[];
  aggregates: readonly Aggregate[];
  customFields: boolean;
}

export interface Selection {
  include?: Included;
  exclude: readonly Exclude<Field, CollectionField>[];
  append: readonly Aggregate[];
}

export interface Page {
  take: number;
  skip: number;
}

export interface OracleRequest {
  /** Whose rows are asked for. */
  resource: ResourceType;
  route: Route;
  where?: Condition;
  order: readonly OrderTerm[];
  selection: Selection;
  page: Page;
  inner: Page;
  /** Which of the ways to write it is taken. */
  style: number;
}

export const aggregateName = ({ collection, field, function: fn }: Aggregate): string =>
  [collection.name, ...(field ? [field.name] : []), fn].join('-');

export const addressV1 = ({ resource, route, ...request }: OracleRequest): string =>
  `/api/v1/${pathOf(resource, route)}?${new URLSearchParams(parametersOf(request))}`;

function pathOf(resource: ResourceType, route: Route): string {
  switch (route.kind) {
    case 'list':
      return resource.collection;
    case 'one':
      return `${resource.collection}/${route.id}`;
    case 'inner':
      return `${route.owner.collection}/${route.id}/${route.field.name}`;
  }
}

type Asked = Omit<OracleRequest, 'resource' | 'route'>;

function parametersOf({ where, order, selection, page, inner, style }: Asked): Record<string, string> {
  const { include, exclude, append } = selection;
  const spelling = new SpellingV1(diceOf(style));
  const orderText = ({ descending, ...end }: OrderTerm): string => `${spelling.path(end)}${descending ? ' desc' : ''}`;
  return {
    ...(where && { where: spelling.where(where) }),
    ...(include && { include: includedText(include) }),
    ...(exclude.length > 0 && { exclude: `[${exclude.map(({ name }) => name)}]` }),
    ...(append.length > 0 && { append: `[${append.map(aggregateName)}]` }),
    ...(order.length > 0 && { orderBy: order.map(orderText).join(',') }),
    take: String(page.take),
    skip: String(page.skip),
    innerTake: String(inner.take),
    innerSkip: String(inner.skip),
  };
}

function includedText({ fields, aggregates, customFields }: Included): string {
  const parts = [
    ...fields.map(({ field, inner }) => `${field.name}${inner ? includedText(inner) : ''}`),
    ...aggregates.map(aggregateName),
    ...(customFields ? ['CustomFields'] : []),
  ];
  return `[${parts.join(',')}]`;
}

/**
 * The ids of all that the same filter selects, whatever page was asked for; in the same order, where it can be said.
 */
export function addressV2({ resource, where, order }: OracleRequest): string {
  const orderBy = isOrderedInV2({ resource, order }) ? order.map(orderV2).join(',') : 'id';
  const asked = { ...(where && { where: whereV2(where) }), select: 'id', orderBy, take: '1000' };
  return `/api/v2/${resource.name}?${new URLSearchParams(asked)}`;
}

/** An address is only shown there, and a reference is called otherwise. */
export const isOrderedInV2 = ({ resource, order }: Pick<OracleRequest, 'resource' | 'order'>): boolean =>
  order.length > 0 &&
  order.every(
    ({ path, operand }) =>
      operand && !(operand.kind === 'custom' && operand.type === 'URL') && isOwn(resource, path, operand),
  );

/** Version 2 asks for what only some kinds have by a cast. */
export function isOwnAlone(resource: ResourceType, condition: Condition): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.parts.every((part) => isOwnAlone(resource, part));
    case 'not':
      return isOwnAlone(resource, condition.part);
    case 'test':
      return isOwn(resource, condition.path, condition.operand);
  }
}

function isOwn(resource: ResourceType, path: readonly Step[], operand?: Operand): boolean {
  let end = resource;
  for (const step of path) {
    if (!end.fields.includes(step)) return false;
    end = step.target;
  }
  return operand?.kind !== 'field' || end.fields.includes(operand.field);
}
