/** A text as the collection of the values between its commas. */

import { type Chain, type Value } from '../meaning.js';
import type { FunctionRow } from './function-row.js';
import { conversion } from './functions-conversion.js';
import { ofValue } from './functions-list.js';
import { call } from './nodes.js';
import { type Context, itemOf, made } from './resolving.js';
import { text } from './types.js';

export function listOf(row: FunctionRow, owner: Value, context: Context): Chain {
  const texts: Chain = {
    kind: 'chain',
    source: { kind: 'values', owner },
    binder: { type: text },
    filters: [],
    order: [],
    isDistinct: false,
    type: { kind: 'collection', item: text },
    nullable: false,
    size: 1,
    digits: 0,
  };
  const projection = call(conversion(ofValue(row), text), [itemOf(texts)], context);
  return made<Chain>({ ...texts, projection, type: { kind: 'collection', item: projection.type } }, context);
}
