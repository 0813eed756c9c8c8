/** The fields of an entity as values, and its id. */
import type { Field } from '../../model/model.js';
import { limits } from '../limits.js';
import type { Chain, Value } from '../meaning.js';
import type { Name } from './expression.js';
import { fieldOf, idFieldOf } from './nodes.js';
import { type Context, made, type Place, refuse } from './resolving.js';
import { integer, ofScalar, type Type } from './types.js';

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
      return made(
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
  return made(
    {
      kind: 'chain',
      source: { kind: 'field', owner, field },
      filters: [],
      order: [],
      isDistinct: false,
      type: { kind: 'collection', item: { kind: 'entity', resource: field.target } },
      nullable: owner.nullable,
    },
    context,
  );
}

/** Of the entity in a custom field, whatever it is: items and people may have the same id. */
export const idOf = (of: Value, context: Context): Value =>
  of.kind === 'pointed' ? fieldOf(of.of, of.operand, integer, true, context) : rowId(of, context);

export const rowId = (of: Value, context: Context): Value =>
  of.kind === 'me' ? of : fieldOf(of, { kind: 'field', field: idFieldOf(of) }, integer, of.nullable, context);
