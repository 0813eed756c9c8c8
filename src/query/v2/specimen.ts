/**
 * An item with all members that any item of a request may show, of which a table takes its columns: the rows themselves
 * say nothing of what is null, and there may be none.
 */

import { camelCase } from '../../model/camel-case.js';
import type { ResourceType } from '../../model/model.js';
import type { TableShape } from '../../representation/csv.js';
import type { Specimen } from '../../representation/csv-columns.js';
import type { CustomFieldGroup, Meaning, ObjectMember, Plan, Value } from '../meaning.js';
import { customNames } from '../v1/resolve-selection.js';
import { ofSorts, rowOf } from '../values.js';
import { wholeItem } from './coerce.js';
import type { QueryV2 } from './query-v2.js';
import { type QueryContext, resolveQueryV2 } from './resolve-query.js';

/** Errors: those of the request. */
export function tableShape(query: QueryV2, resource: ResourceType, context: QueryContext): TableShape {
  const { shown } = resolveQueryV2(query, resource, context, 'page');
  const specimen = specimenOf(shown, resource, context);
  return { ...(specimen !== undefined && { specimen }), ...(shown.kind === 'items' && { name: shown.name }) };
}

function specimenOf(
  shown: Meaning['shown'],
  resource: ResourceType,
  { catalogue }: QueryContext,
): Specimen | undefined {
  switch (shown.kind) {
    case 'whole':
      return ofValue(wholeItem(rowOf(resource), { catalogue }));
    case 'items':
      return ofValue(shown.item);
    case 'groups':
      return ofMembers(shown.members);
    case 'result':
      return undefined;
  }
}

const value: Specimen = { kind: 'value' };

const objectOf = (members: readonly (readonly [string, Specimen])[]): Specimen => ({
  kind: 'object',
  members: new Map(members),
});

const link = objectOf(['url', 'label'].map((name) => [name, value]));

const isPlain = ofSorts('single', 'test', 'entity');

function ofValue(node: Value): Specimen | undefined {
  if (isPlain(node)) return node.type.kind === 'link' ? link : value;
  switch (node.kind) {
    case 'object':
      return ofMembers(node.members);
    case 'item':
      return ofPlan(node.plan);
    case 'customFields':
      return ofGroups(node.groups, node.type.resource);
    case 'chain':
      return node.isListed ? objectOf([['items', { kind: 'list' }]]) : { kind: 'list' };
    case 'mapped':
      return ofValue(node.body);
    case 'first':
      return node.of.projection && ofValue(node.of.projection);
    case 'key':
      return value;
    case 'conditional':
      return ofEither(ofOption(node.yes), ofOption(node.no));
  }
}

const ofMembers = (members: readonly ObjectMember[]): Specimen =>
  objectOf(
    members.flatMap((member): [string, Specimen][] => {
      const one = ofValue(member.value);
      return one === undefined ? [] : [[member.name, one]];
    }),
  );

/** Nothing has no form. */
const ofOption = (node: Value): Specimen | undefined => (node.type.kind === 'null' ? undefined : ofValue(node));

/** Of what is shown in each other's place, as far as both have the same form. */
function ofEither(one: Specimen | undefined, other: Specimen | undefined): Specimen | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.kind === 'object' && other.kind === 'object') return objectOf([...other.members, ...one.members]);
  return one.kind === other.kind ? one : undefined;
}

function ofPlan({ resource, members, customFields, collections }: Plan): Specimen {
  const { nameField } = resource;
  const others = members.filter(({ field }) => field !== nameField);
  const head = ['resourceType', 'id', ...(others.length < members.length ? ['name'] : [])];
  return objectOf([
    ...head.map((name): [string, Specimen] => [name, value]),
    ...others.map((one): [string, Specimen] => [
      camelCase(one.field.name),
      one.kind === 'reference' ? ofPlan(one.plan) : value,
    ]),
    ...(customFields ? [['customValues', ofGroups(customFields, resource)] as const] : []),
    ...collections.map(({ field }): [string, Specimen] => [
      camelCase(field.name),
      objectOf([['items', { kind: 'list' }]]),
    ]),
  ]);
}

function ofGroups(customFields: readonly CustomFieldGroup[], resource: ResourceType): Specimen {
  return objectOf([['customFields', { kind: 'fields', names: customNames({ customFields, resource }) }]]);
}
