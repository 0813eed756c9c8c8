/**
 * What an expression says, still as text: names are not looked up and nothing has a type. Made by `parse-expression`.
 */
import type { ComparisonSign } from '../operators.js';

export type Operator = ComparisonSign | '+' | '-' | '*' | '/' | '&';

interface Placed {
  /** Where it stands in the text, in UTF-16 units; of operators and members, where their own sign or name stands. */
  at: number;
}

export type Expression = Placed &
  (
    | { kind: 'literal'; literal: 'text' | 'integer' | 'real' | 'boolean' | 'null'; text: string }
    /** `name`, `name(…)`, `of.name` or `of.name(…)`. Without parentheses `args` is undefined. */
    | { kind: 'name'; of?: Expression; name: string; args?: Expression[] }
    /** `of.as<Type>` */
    | { kind: 'cast'; of: Expression; type: string }
    | { kind: 'index'; of: Expression; key: string }
    | { kind: 'negate' | 'not'; of: Expression }
    | { kind: 'operation'; operator: Operator; left: Expression; right: Expression }
    | { kind: 'and' | 'or'; parts: Expression[] }
    | { kind: 'in'; of: Expression; values: Expression[]; negated: boolean }
    | { kind: 'is'; of: Expression; what: Expression; negated: boolean }
    | { kind: 'conditional'; test: Expression; yes: Expression; no: Expression }
    | { kind: 'object'; members: Property[] }
  );

/** A member of an object; without a name of its own it takes that of the last member of its expression. */
export interface Property extends Placed {
  name?: string;
  value: Expression;
}

export interface Ordering {
  by: Expression;
  descending: boolean;
}

export type Name = Extract<Expression, { kind: 'name' }>;

/** Of members that are written alike, the first: names are the same in any letter case. */
export function withoutRepeated(members: readonly Property[]): Property[] {
  const byText = new Map<string, Property>();
  for (const member of members) {
    const text = JSON.stringify(member, withoutPlace);
    if (!byText.has(text)) byText.set(text, member);
  }
  return [...byText.values()];
}

const withoutPlace = (key: string, of: unknown): unknown => {
  if (key === 'at') return undefined;
  return key === 'name' && typeof of === 'string' ? of.toLowerCase() : of;
};
