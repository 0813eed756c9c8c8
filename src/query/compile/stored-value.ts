/**
 * Where the value of a custom field stands among those of a row: by its name, as the process of the row spells it; and
 * in which table that is which it points at.
 */
import { constant, join, list, raw, type Sql, sql, value } from '../../sql.js';
import type { Operand, PointerTarget } from '../meaning.js';

type Named = Pick<Extract<Operand, { kind: 'custom' }>, 'name' | 'spellings'>;

export const namesOf = ({ name, spellings = [] }: Named): readonly string[] => [name, ...spellings];

/** As JSON. */
export const storedIn = (values: Sql, field: Named): Sql => firstOf(field, (key) => sql`${values} -> ${key}`);

/** As text. */
export const textIn = (values: Sql, field: Named): Sql => firstOf(field, (key) => sql`${values} ->> ${key}`);

function firstOf(field: Named, of: (key: Sql) => Sql): Sql {
  const all = namesOf(field).map((name) => of(value(name, 'text')));
  return all.length === 1 ? all[0]! : sql`coalesce(${join(all, raw(', '))})`;
}

/** Whether a pointer names a person, whose id an item may have as well. */
export const isPerson = (kind: Sql, { people }: PointerTarget): Sql =>
  sql`coalesce(lower(${kind}), '') in (${list(people.itemNames.map((one) => constant(one.toLowerCase())))})`;
