/** Makes values out of others. */
import type { ScalarField } from '../../model/model.js';
import type { RowExpression } from '../../sql.js';
import type { ObjectMember, Of, Value } from '../meaning.js';
import type { Comparison } from '../operators.js';
import { boolean, type Type } from '../types.js';
import { fieldOf } from '../values.js';
import type { Expression } from './expression.js';
import { type Context, made, refuse } from './resolving.js';

export const call = (row: Of<'call'>['function'], args: readonly Value[], context: Context): Value =>
  made(
    {
      kind: 'call',
      function: row,
      args,
      type: typeof row.gives === 'function' ? row.gives(args.map((arg) => arg.type)) : row.gives,
      nullable: row.nulls === 'always' || (row.nulls !== 'never' && args.some((arg) => arg.nullable)),
    },
    context,
  );

export type Sides = readonly [Value, Value];

export const compare = (operator: Comparison, [left, right]: Sides, context: Context): Value =>
  made({ kind: 'compare', operator, left, right, type: boolean, nullable: false }, context);

export const negated = (of: Value, context: Context): Value =>
  made({ kind: 'not', of, type: boolean, nullable: false }, context);

export const isNull = (of: Value, context: Context): Value =>
  made({ kind: 'null', of, type: boolean, nullable: false }, context);

export const series = (kind: 'and' | 'or', parts: readonly Value[], context: Context): Value =>
  made({ kind, parts, type: boolean, nullable: false }, context);

type Objects = Of<'object'>;

export function object(members: readonly ObjectMember[], at: Pick<Expression, 'at'>, context: Context): Objects {
  const names = new Set<string>();
  for (const { name, at: place } of members) {
    if (names.has(name))
      throw refuse(
        context,
        { at: place ?? at.at },
        `Two members are named '${name}'; give one of them another name, as in {other: ${name}}`,
      );
    names.add(name);
  }
  return made({ kind: 'object', members, type: { kind: 'object' }, nullable: false }, context);
}

/** What only this language asks of a row is no field of the model. */
export function computed(of: Value, type: Type, expression: RowExpression, context: Context): Value {
  // It would pass for the Id by its name.
  const field = { ...idFieldOf(of), name: '', expression, column: undefined };
  return made({ ...fieldOf(of, { kind: 'field', field }), type, nullable: true }, context);
}

export function idFieldOf({ type }: Value): ScalarField {
  if (type.kind !== 'entity') throw new Error('only entities have an Id');
  return type.resource.idField;
}
