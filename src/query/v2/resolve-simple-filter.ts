/** `filter=text`: items whose name holds the text, or whose id holds the number. */

import type { Value } from '../meaning.js';
import { asText } from './coerce.js';
import { series } from './nodes.js';
import { entityMember } from './resolve-entity.js';
import { literal, made, type Place } from './resolving.js';
import { boolean, type Type, text } from './types.js';

export function simpleFilter(filter: string, row: Extract<Value, { kind: 'row' }>, place: Place): Value {
  const { context } = place;
  const { resource } = row.type as Extract<Type, { kind: 'entity' }>;
  const member = (name: string): Value | undefined => entityMember(row, resource, { kind: 'name', name, at: 0 }, place);
  const name = member('Name') ?? member('FullName');
  const part = literal(filter.trim(), text, 'text');
  const containing = (of: Value): Value =>
    made<Extract<Value, { kind: 'contains' }>>(
      { kind: 'contains', of, part, wholeStart: false, wholeEnd: false, type: boolean, nullable: false },
      context,
    );
  const named = name && containing(name);
  const isNumber = /^\d{1,18}$/.test(filter.trim());
  const numbered = isNumber ? containing(asText(member('Id')!, { at: 0 }, context)) : undefined;
  const parts = [named, numbered].filter((one) => one !== undefined);
  return parts.length > 0 ? series('or', parts, context) : literal(false, boolean, 'boolean');
}
