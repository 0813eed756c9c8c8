/**
 * Members of objects, whatever made them: braces, a Select of an entity or of items, a choice. They are read as if the
 * object were not there.
 */
import type { Of, Value } from '../meaning.js';
import { entity } from '../types.js';
import { negation, nothing } from '../values.js';
import type { Name } from './expression.js';
import { ofOwner } from './replace-row.js';
import { oneOf } from './resolve-choice.js';
import { ofMapped, orNone } from './resolve-entity.js';
import type { Place } from './resolving.js';

/** Undefined: it has none of this name. */
export function memberOfObject(of: Value, node: Name, place: Place): Value | undefined {
  if (node.args && node.args.length > 0) return undefined;
  if (of.kind === 'object') return of.members.find(({ name }) => name.toLowerCase() === node.name.toLowerCase())?.value;
  if (of.kind === 'first') return ofFirst(of, node, place);
  if (of.kind === 'conditional') return ofConditional(of, node, place);
  if (of.kind !== 'mapped') return undefined;
  const member = memberOfObject(of.body, node, place);
  return member && ofMapped(of.of, member, node, place.context);
}

export function namesIn(of: Value): string[] {
  if (of.kind === 'object') return of.members.map(({ name }) => name);
  if (of.kind === 'first') return of.of.projection ? namesIn(of.of.projection) : [];
  if (of.kind === 'conditional') return [...new Set([...namesIn(of.yes), ...namesIn(of.no)])];
  return of.kind === 'mapped' ? namesIn(of.body) : [];
}

function ofFirst(of: Of<'first'>, node: Name, place: Place): Value | undefined {
  const { projection, source } = of.of;
  const member = projection && memberOfObject(projection, node, place);
  if (!member) return undefined;
  if (isShown(member)) return { ...of, of: { ...of.of, projection: member }, type: member.type };
  if (source === 'root' || source.kind === 'values') return undefined;
  // It is a collection of the item, which is found by itself.
  const item = entity(source.field.target);
  const items = { ...of.of, projection: undefined, isDistinct: false, type: { kind: 'collection', item } as const };
  return ofMapped({ ...of, of: items, type: item }, member, node, place.context);
}

const isShown = ({ type }: Value): boolean => !['collection', 'customValues'].includes(type.kind);

/** Nothing where the side that is chosen has no such member. */
function ofConditional({ test, yes, no }: Of<'conditional'>, node: Name, place: Place): Value | undefined {
  const [one, other] = [memberOfObject(yes, node, place), memberOfObject(no, node, place)];
  if (!one && !other) return undefined;
  if (one && !other && isNullWithout(test, one)) return one;
  const collection = one && other ? undefined : collectionIf(one ? test : negation(test), (one ?? other)!);
  return collection ?? oneOf(test, [one ?? nothing(), other ?? nothing()], node, place.context);
}

/** A collection has no owner where the other side is chosen, which lacks it. */
function collectionIf(test: Value, member: Value): Value | undefined {
  const change = (owner: Value): Value => orNone(test, owner);
  if (member.kind === 'customFields') return { ...member, of: change(member.of), nullable: true };
  if (member.kind !== 'chain' || member.source === 'root' || member.source.kind === 'values') return undefined;
  return ofOwner(member, change);
}

/** The condition is that the entity is there which the member is read of: it is null of one that is missing. */
function isNullWithout(test: Value, member: Value): boolean {
  if (test.kind !== 'not' || test.of.kind !== 'null') return false;
  if (member.kind !== 'field' && member.kind !== 'pointed') return false;
  const tested = test.of.of;
  const isId = tested.kind === 'field' && tested.operand.kind === 'field' && tested.operand.field.name === 'Id';
  return tested === member.of || (isId && tested.of === member.of);
}
