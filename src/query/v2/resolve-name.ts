/** Names: members of what stands before the dot or, without one, of the current item; then functions. */

import { nearest } from '../../texts/near.js';
import { aggregations } from '../aggregates.js';
import { functionNames, isNamespace } from '../functions/functions.js';
import type { Value } from '../meaning.js';
import { partOperators } from '../operators.js';
import { entity, typeName } from '../types.js';
import type { Name } from './expression.js';
import { noMember, noMethod } from './messages.js';
import { functionCall, scalarMember } from './resolve-call.js';
import { chainMember } from './resolve-chain.js';
import { choose, ifNone } from './resolve-choice.js';
import { customMember, customNames } from './resolve-custom-values.js';
import { entityMember } from './resolve-entity.js';
import { memberOfObject } from './resolve-object.js';
import { type Context, type Place, refuse } from './resolving.js';

export function resolveName(node: Name, place: Place): Value {
  if (node.of) {
    if (node.of.kind === 'name' && !node.of.of && !node.of.args && isNamespace(node.of.name)) {
      const own = memberOf(place.it, node.of, place);
      if (!own) return staticMember(node.of.name, node, place);
    }
    return demandMember(place.resolve(node.of, place), node, place);
  }
  if (node.name.toLowerCase() === 'it' && !node.args) return place.it;
  return memberOf(place.it, node, place) ?? standing(node, place) ?? demandMember(place.it, node, place);
}

/** Undefined: there is none of this name. */
function memberOf(of: Value, node: Name, place: Place): Value | undefined {
  switch (of.type.kind) {
    case 'entity':
      return entityMember(of, of.type.resource, node, place);
    case 'collection':
      return of.kind === 'chain' ? chainMember(of, node, place) : undefined;
    case 'customValues':
      return of.kind === 'customFields' ? customMember(of, node, place) : undefined;
    case 'object':
      return memberOfObject(of, node);
    case 'null':
      return of;
    case 'text':
    case 'integer':
    case 'decimal':
    case 'double':
    case 'boolean':
    case 'moment':
    case 'span':
    case 'link':
      return scalarMember(of, node, place);
  }
}

function demandMember(of: Value, node: Name, place: Place): Value {
  const member = memberOf(of, node, place);
  if (member) return member;
  const missing = node.args ? noMethod : noMember;
  throw refuse(
    place.context,
    node,
    missing(typeName(of.type), node.name, nearest(node.name, memberNames(of, place))) + hint(of),
  );
}

function hint(of: Value): string {
  if (of.kind === 'object') return ` It has ${of.members.map(({ name }) => name).join(', ') || 'none'}.`;
  return of.type.kind === 'collection' ? ' Members of its items are reached by Select, Where, Count and the like.' : '';
}

const ofEveryValue = ['ToString', 'Value', 'HasValue'];
const ofTexts = partOperators.map(({ method }) => method);

const onCollections = [
  ...['Select', 'Where'],
  ...aggregations.map((name) => name.charAt(0).toUpperCase() + name.slice(1)),
  ...'Any All First OrderBy OrderByDescending Distinct Take Skip'.split(' '),
];

/** What could have been meant. */
function memberNames(of: Value, { it, context }: Place): string[] {
  const { type } = of;
  if (type.kind === 'collection') return onCollections;
  if (of.kind === 'object') return of.members.map(({ name }) => name);
  if (type.kind !== 'entity')
    return [...functionNames(type.kind), ...ofEveryValue, ...(type.kind === 'text' ? ofTexts : [])];
  const fields = type.resource.fields.filter((field) => field.kind !== 'scalar' || !field.isWriteOnly);
  const functions = it.type === type ? ['IIF', 'IFNONE', 'Today', 'Me'] : [];
  const custom = type.resource.settings.customFields ? customNames(type.resource, context) : [];
  return [...fields.map(({ name }) => name), ...custom, ...functions];
}

/** What stands alone: functions, today, the caller. */
function standing(node: Name, place: Place): Value | undefined {
  const { context } = place;
  const args = node.args ?? [];
  switch (node.name.toLowerCase()) {
    case 'iif':
      if (args.length !== 3) throw refuse(context, node, 'IIF takes three arguments: a condition and two values');
      return choose(args[0]!, [args[1]!, args[2]!], node, place);
    case 'ifnone':
      if (args.length !== 2)
        throw refuse(context, node, 'IFNONE takes two arguments: a value and what stands in for it');
      return ifNone([args[0]!, args[1]!], node, place);
    case 'me':
      return args.length === 0 ? me(context) : undefined;
    default:
      return functionCall('', node, place);
  }
}

const me = ({ model }: Context): Value => ({
  kind: 'me',
  type: entity(model.resource('GeneralUser')),
  nullable: false,
});

/** `DateTime.Now`, `Math.Round(effort)`, `Convert.ToInt32(name)`. */
function staticMember(owner: string, node: Name, place: Place): Value {
  const value = functionCall(owner, node, place);
  if (value) return value;
  throw refuse(place.context, node, noMethod(owner, node.name, nearest(node.name, functionNames(owner))));
}
