/** Members of an entity: its fields, its custom fields by name, and what can be asked of it. */
import type { ResourceType } from '../../model/model.js';
import { nearest } from '../../texts/near.js';
import type { Value } from '../meaning.js';
import { type Type, text, typeName } from '../types.js';
import { condition, literal, rowOf } from '../values.js';
import type { Expression, Name } from './expression.js';
import { ofField } from './fields.js';
import { customFieldsOf, customNamed } from './resolve-custom-values.js';
import { customValueString, isCustomValueChanged } from './resolve-history.js';
import { personOf, pointedMember, unlessMissing } from './resolve-pointed.js';
import { type Context, type Place, refuse, weighedOnce } from './resolving.js';

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

/** `feature.select({id, name})`: what the entity is turned into, and nothing where there is none. */
function mapped(of: Value, node: Name, place: Place): Value {
  const { context } = place;
  if (node.args!.length !== 1) throw refuse(context, node, 'Select takes one argument: what to turn the entity into');
  const it = rowOf((of.type as Extract<Type, { kind: 'entity' }>).resource);
  if (of.kind === 'pointed') {
    const shown = place.resolve(node.args![0]!, { ...place, it: of });
    return shown.kind === 'object' ? unlessMissing(of, shown) : shown;
  }
  const body = weighedOnce(place.resolve(node.args![0]!, { ...place, it }), context);
  if (body.kind !== 'object') return place.resolve(node.args![0]!, { ...place, it: of });
  return { kind: 'mapped', of, body, type: body.type, nullable: true };
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

/** `as<Type>` sees an entity as one of a kind; of another kind it is none. */
export function castTo(
  { type: name, at, of: casting }: Extract<Expression, { kind: 'cast' }>,
  of: Value,
  context: Context,
): Value {
  const resource = context.model.collection(name);
  if (!resource) {
    const near = nearest(
      name,
      context.model.resources.map((one) => one.name),
    );
    throw refuse(context, { at }, `There is no type '${name.slice(0, 80)}'.${near ? ` Did you mean '${near}'?` : ''}`);
  }
  if (of.type.kind !== 'entity')
    throw refuse(context, { at }, `'${typeName(of.type)}' cannot be cast; only an entity can`);
  if (resource.root !== of.type.resource.root) {
    if (of.kind === 'pointed' && resource.root === context.model.resource('GeneralUser'))
      return castTo({ kind: 'cast', type: name, at, of: casting }, personOf(of, context), context);
    throw refuse(context, { at }, `'${typeName(of.type)}' can never be a '${resource.name}'`);
  }
  if (of.type.resource.isA(resource)) return of;
  return { kind: 'cast', of, resource, type: { kind: 'entity', resource }, nullable: true };
}

const owners: Readonly<Record<string, string | undefined>> = {
  Release: 'project',
  Iteration: 'project',
  TeamIteration: 'team',
};

function timeBoxMember(of: Value, resource: ResourceType, node: Name, { context }: Place): Value | undefined {
  const property = owners[resource.name];
  if (property === undefined) return undefined;
  const [arg] = node.args!;
  if (node.args!.length !== 1 || arg?.kind !== 'literal' || arg.literal !== 'integer' || arg.text.length > 4) {
    throw refuse(context, node, `${node.name} takes one argument: how many of the nearest, a whole number`);
  }
  const owner = resource.ofProperty(property);
  if (owner?.kind !== 'reference') throw new Error(`${resource.name} has no ${property}`);
  const isPast = node.name.toLowerCase() === 'inpast';
  return condition({ kind: 'near', of, resource, owner, isPast, count: Number(arg.text) });
}
