/** `Convert.ToInt32(name)`: what depends on the kind of what is converted, and what can be told before anything is asked. */
import { call, momentOf } from './coerce.js';
import type { Expression } from './expression.js';
import type { FunctionRow } from './functions.js';
import { conversion } from './functions-conversion.js';
import { type Context, refuse } from './resolving.js';
import type { Typed } from './typed.js';
import { type Type, typeName } from './types.js';

export function converted(row: FunctionRow, arg: Typed, at: Expression, context: Context): Typed {
  if (row.on === 'Convert' && arg.kind === 'literal' && arg.type.kind === 'text') {
    const said = String(arg.value);
    if (!mayBe(row.gives as Type, said, context))
      throw refuse(context, at, `'${said.slice(0, 80)}' cannot be converted to '${typeName(row.gives as Type)}'`);
  }
  return call(conversion(row, arg.type), [arg], context);
}

/** The database has the last word. */
function mayBe(type: Type, said: string, context: Context): boolean {
  switch (type.kind) {
    case 'integer':
      return /^\s*[+-]?\d+\s*$/.test(said);
    case 'decimal':
    case 'double':
      return /^[\s\d.eE+-]*\d[\s\d.eE+-]*$/.test(said);
    case 'boolean':
      return /^\s*(true|false|t|f|yes|no|y|n|on|off|1|0)\s*$/i.test(said);
    case 'moment':
      return /\d/.test(said) || momentOf(said, context) !== undefined;
    default:
      return true;
  }
}
