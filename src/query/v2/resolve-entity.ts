/** Members of an entity: its fields, its custom fields by name, and what can be asked of it. */

import type { Field, ResourceType } from '../../model/model.js';
import type { RowExpression } from '../../sql.js';
import { limits } from '../limits.js';
import type { Operand } from '../meaning.js';
import { type Chain, type Value } from '../meaning.js';
import { customFieldsOf, customNamed } from './resolve-custom-values.js';
import { castTo, resolveExpression } from './resolve-expression.js';
import { customValueString, isCustomValueChanged } from './resolve-history.js';
import type { Name } from './resolve-name.js';
import { pointedMember, unlessMissing } from './resolve-pointed.js';
import { timeBoxMember } from './resolve-time-box.js';
import { type Context, literal, made, type Place, refuse } from './resolving.js';
import { ofScalar, type Type, text } from './types.js';

export function entityMember(of: Value, resource: ResourceType, node: Name, place: Place): Value | undefined {
  const { context } = place;
  const isCall = (node.args?.length ?? 0) > 0;
  if (of.kind === 'pointed' && !isCall) {
    const member = pointedMember(of, node, place);
    if (member) return member;
  }
  const field = isCall ? undefined : resource.field(node.name);
  if (field && !(field.kind === 'scalar' && field.isWriteOnly)) return ofField(of, field, place, node);
  if (isCall) return method(of, resource, node, place);
  const name = node.name.toLowerCase();
  if (name === 'resourcetype') return literal(resource.name, text, 'text');
  if (name === 'customvalues' && resource.settings.customFields) return customFieldsOf(of, resource, context);
  return (
    customNamed(of, resource, node.name, context) ??
    endOfRelation(of, resource, node, context) ??
    // It says what it is to be given.
    method(of, resource, { ...node, args: [] }, place)
  );
}

function method(of: Value, resource: ResourceType, node: Name, place: Place): Value | undefined {
  switch (node.name.toLowerCase()) {
    case 'select':
      return mapped(of, node, place);
    case 'inpast':
    case 'infuture':
      return timeBoxMember(of, resource, node, place);
    case 'getcustomvaluestring':
      return customValueString(of, resource, node, place);
    case 'iscustomvaluechanged':
      return isCustomValueChanged(of, resource, node, place);
    default:
      return undefined;
  }
}

export function ofField(
  of: Value,
  field: Field,
  { context, depth }: Pick<Place, 'context' | 'depth'>,
  node: Name,
): Value {
  switch (field.kind) {
    case 'scalar':
      return fieldOf(
        of,
        { kind: 'field', field },
        typeOf(field),
        of.nullable || field.isNullable || field.isPrivate,
        context,
      );
    case 'reference':
      if (namesBefore(of) >= limits.depth)
        throw refuse(context, node, `Names lead through one another more than ${limits.depth} deep`);
      return made<Extract<Value, { kind: 'reference' }>>(
        { kind: 'reference', of, field, type: { kind: 'entity', resource: field.target }, nullable: true },
        context,
      );
    case 'collection':
      return collectionOf(of, field, depth, node, context);
  }
}

/** How many references lead to an entity, each of which is a table. */
function namesBefore(of: Value): number {
  switch (of.kind) {
    case 'reference':
      return namesBefore(of.of) + 1;
    case 'cast':
    case 'pointed':
      return namesBefore(of.of);
    case 'chosen':
      return Math.max(...of.options.map(namesBefore));
    case 'first':
      return of.of.source !== 'root' && of.of.source.kind === 'field' ? namesBefore(of.of.source.owner) + 1 : 0;
    default:
      return 0;
  }
}

export const fieldOf = (of: Value, operand: Operand, type: Type, nullable: boolean, context: Context): Value =>
  made<Extract<Value, { kind: 'field' }>>({ kind: 'field', of, operand, type, nullable }, context);

/** What only this language asks of a row is no field of the model. */
export function computed(of: Value, type: Type, expression: RowExpression, context: Context): Value {
  const id = of.type.kind === 'entity' ? of.type.resource.field('Id') : undefined;
  if (id?.kind !== 'scalar') throw new Error('an entity without an Id');
  return fieldOf(of, { kind: 'field', field: { ...id, expression, column: undefined } }, type, true, context);
}

function typeOf({ scalar, choices }: Extract<Field, { kind: 'scalar' }>): Type {
  return scalar === 'choice' ? { kind: 'text', choices: choices ?? [] } : ({ kind: ofScalar[scalar] } as Type);
}

function collectionOf(
  owner: Value,
  field: Extract<Field, { kind: 'collection' }>,
  depth: number,
  node: Name,
  context: Context,
): Chain {
  if (depth >= limits.depth) {
    throw refuse(context, node, `Collections lie in one another more than ${limits.depth} deep`);
  }
  return made<Chain>(
    {
      kind: 'chain',
      source: { kind: 'field', owner, field },
      binder: { type: { kind: 'entity', resource: field.target } },
      filters: [],
      order: [],
      isDistinct: false,
      type: { kind: 'collection', item: { kind: 'entity', resource: field.target } },
      nullable: owner.nullable,
    },
    context,
  );
}

/** `feature.select({id, name})`: what the entity is turned into, and nothing where there is none. */
function mapped(of: Value, node: Name, place: Place): Value {
  const { context } = place;
  if (node.args!.length !== 1) throw refuse(context, node, 'Select takes one argument: what to turn the entity into');
  const binder = { type: of.type };
  const it: Value = { kind: 'row', binder, type: of.type, nullable: false, size: 1, digits: 0 };
  if (of.kind === 'pointed') {
    const shown = resolveExpression(node.args![0]!, { ...place, it: of });
    return shown.kind === 'object' ? unlessMissing(of, shown, context) : shown;
  }
  const body = resolveExpression(node.args![0]!, { ...place, it });
  if (body.kind !== 'object') return resolveExpression(node.args![0]!, { ...place, it: of });
  return made<Extract<Value, { kind: 'mapped' }>>(
    { kind: 'mapped', of, binder, body, type: body.type, nullable: true },
    context,
  );
}

/** `MasterFeature` and `OutboundBug` are an end of a relation as one of a kind. */
function endOfRelation(of: Value, resource: ResourceType, { name, at }: Name, context: Context): Value | undefined {
  if (resource.name !== 'Relation') return undefined;
  const match = /^(master|slave|inbound|outbound)(\w+)$/i.exec(name);
  const end = match && resource.field(match[1]!);
  const kind = match && context.model.collection(match[2]!);
  if (end?.kind !== 'reference' || !kind || kind.root !== end.target.root) return undefined;
  const whole = ofField(of, end, { context, depth: 0 }, { kind: 'name', name, at });
  return castTo({ kind: 'cast', of: { kind: 'name', name, at }, type: kind.name, at }, whole, context);
}
