/** Where the value of a custom field stands among those of a row: by its name, as the process of the row spells it. */
import { join, raw, type Sql, sql, value } from '../../sql.js';
import type { Operand } from '../meaning.js';

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
