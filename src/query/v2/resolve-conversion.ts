/** `Convert.ToInt32(name)`: what depends on the kind of what is converted, and what can be told before anything is asked. */

import type { Value } from '../meaning.js';
import { momentOf } from './coerce.js';
import type { Expression } from './expression.js';
import type { FunctionRow } from './function-row.js';
import { conversion } from './functions-conversion.js';
import { bitsOf, isWholeNumber } from './functions-integer.js';
import { doesNotFit } from './messages.js';
import { call } from './nodes.js';
import { type Context, refuse } from './resolving.js';
import type { Type } from './types.js';
import { typeName } from './types.js';

export function converted(row: FunctionRow, arg: Value, at: Expression, context: Context): Value {
  if (row.on === 'Convert' && arg.kind === 'literal' && arg.type.kind === 'text') {
    const written = String(arg.value).trim();
    const type = row.gives as Type;
    if (type.kind === 'moment') {
      const moment = momentOf(written, context);
      if (moment) return moment;
    }
    if (!forms[type.kind]?.test(written))
      throw refuse(context, at, `'${written.slice(0, 80)}' cannot be converted to '${typeName(type)}'`);
    if (type.kind === 'integer' && !isWholeNumber(written, bitsOf(row.name))) throw refuse(context, at, doesNotFit);
  }
  return call(conversion(row, arg.type), [arg], context);
}

const number = /^[+-]?(\d{1,30}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,2})?$/i;

/** No text is a date that `momentOf` does not read. */
const forms: Partial<Record<Type['kind'], RegExp>> = {
  integer: /^[+-]?\d+$/,
  decimal: number,
  double: number,
  boolean: /^(true|false|t|f|yes|no|y|n|on|off|1|0)$/i,
  text: /^/,
};
