/**
 * Looks for values of custom fields that no field of the process and kind of their entity can hold: none has their
 * name, or it is of another type. Where only the letter case of the name is another, the value goes by that of the
 * field.
 */
import type { DataSource } from 'typeorm';
import type { DatabaseClient } from '../database/client.js';
import { patience } from '../database/migrate.js';
import { type ValuePlace, valuePlaces } from '../modules/custom-fields/stored-value-rules.js';
import type { CustomFieldType } from '../query/meaning.js';
import type { Finding, Mend } from './finding.js';
import { idsOf, lockRows, mendRows } from './mend-rows.js';

export async function checkValues(dataSource: DataSource): Promise<Finding[]> {
  const strays: { place: ValuePlace; count: number }[] = [];
  for (const place of valuePlaces) {
    const [{ count }] = await dataSource.query(
      `select count(*)::int as count from (${named(place)}) n where name is distinct from key`,
    );
    if (count > 0) strays.push({ place, count });
  }
  if (strays.length === 0) return [];
  const count = strays.reduce((sum, one) => sum + one.count, 0);
  const problem = `${count} values fit no custom field of the process and kind of their entity.`;
  return [{ check: 'values', problem, mends: strays.map(mendOf) }];
}

/** How each type is stored. */
const forms: Record<CustomFieldType, string> = {
  Text: isOf('string'),
  RichText: isOf('string'),
  TemplatedURL: isOf('string'),
  DropDown: isOf('string'),
  MultipleSelectionList: isOf('string'),
  MultipleEntities: isOf('string'),
  Number: isOf('number'),
  Money: isOf('number'),
  CheckBox: isOf('boolean'),
  Date: `${isOf('string')} and moment_of(e.value #>> '{}') is not null`,
  URL: `${isOf('object')} and e.value ? 'Url'`,
  Entity: `${isOf('object')} and e.value ? 'Id'`,
};

function isOf(form: string): string {
  return `jsonb_typeof(e.value) = '${form}'`;
}

const fits = `case f.field_type ${Object.entries(forms)
  .map(([type, form]) => `when '${type}' then ${form}`)
  .join(' ')} end`;

/** All values by the names that they have, and by those of the fields that they fit. */
const named = ({ table, kind, process, only }: ValuePlace): string => `
  select t.id, e.key, e.value, (select f.name from custom_field f
    where f.entity_type_id = ${kind} and (f.process_id is null or f.process_id = ${process}) and ${fits}
      and (f.name = e.key or lower(f.name) = lower(e.key) and not t.custom_values ? f.name) limit 1) as name
  from "${table}" t cross join lateral jsonb_each(t.custom_values) e where ${only}`;

const strayIds = (place: ValuePlace): string =>
  `select distinct id from (${named(place)}) v where name is distinct from key order by 1`;

const renewal = (place: ValuePlace): string => `update "${place.table}" t set custom_values = n.custom_values
  from (select id, coalesce(jsonb_object_agg(name, value) filter (where name is not null), '{}') as custom_values
    from (${named({ ...place, only: `${place.only} and t.id = any($1::bigint[])` })}) v
    group by id having bool_or(name is distinct from key)) n where t.id = n.id`;

const mendOf =
  ({ place }: { place: ValuePlace }): Mend =>
  (client) =>
    mendValues(client, place);

export async function mendValues(client: Pick<DatabaseClient, 'query'>, place: ValuePlace, limits = patience) {
  const statements = [lockRows(place.table), renewal(place)];
  await mendRows(client, { what: 'values', ids: await idsOf(client, strayIds(place)), statements }, limits);
}
