/** Methods of single values; those without arguments need no parentheses. */

import type { Value } from '../meaning.js';
import { asText } from './coerce.js';
import type { Name } from './expression.js';
import { functionsNamed } from './functions.js';
import { isNull, negated } from './nodes.js';
import { applied } from './resolve-call.js';
import { made, type Place, refuse } from './resolving.js';
import { boolean, typeName } from './types.js';

export function scalarMember(of: Value, node: Name, place: Place): Value | undefined {
  const { context } = place;
  const name = node.name.toLowerCase();
  const isBare = (node.args?.length ?? 0) === 0;
  if (name === 'value' && isBare && of.type.kind !== 'link') return of;
  if (name === 'hasvalue' && isBare) return negated(isNull(of, context), context);
  if (name === 'tostring' && isBare && of.type.kind !== 'link') return asText(of, node, context);
  if (of.type.kind === 'text' && name in partial) return contains(of, node, partial[name]!, place);
  const rows = functionsNamed(of.type.kind, node.name);
  return rows.length === 0 ? undefined : applied(rows, [of], node, place);
}

/** Which ends of the part are ends of the whole. */
const partial: Record<string, [wholeStart: boolean, wholeEnd: boolean]> = Object.assign(Object.create(null), {
  contains: [false, false],
  startswith: [true, false],
  endswith: [false, true],
});

function contains(of: Value, node: Name, [wholeStart, wholeEnd]: [boolean, boolean], place: Place): Value {
  const { context } = place;
  if (node.args?.length !== 1) throw refuse(context, node, `${node.name} takes one argument: a text`);
  const pattern = place.resolve(node.args[0]!, place);
  const part = pattern.type.kind === 'null' ? asText(pattern, node, context) : pattern;
  if (part.type.kind !== 'text') {
    throw refuse(context, node.args[0]!, `${node.name} expects 'String', found '${typeName(part.type)}'`);
  }
  return made<Extract<Value, { kind: 'contains' }>>(
    { kind: 'contains', of, part, wholeStart, wholeEnd, type: boolean, nullable: false },
    context,
  );
}
