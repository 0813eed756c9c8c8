/** JSON as version 1 speaks it. */

import type { ScalarKind } from '../model/scalars.js';
import type { CustomFieldType } from '../query/meaning.js';
import { glue, literal, momentOf, type Piece, type Sql, sql } from '../sql.js';
import { jsonDate, mayBeNull } from './dates.js';
import type { CustomFieldValue, ItemHead, Representation, Spelling } from './representation.js';

export function jsonRepresentation(spelling: Spelling): Representation {
  const date = (value: Sql): Sql => jsonDate(value, spelling);
  const { beginnings } = spelling;
  return {
    format: 'json',
    separator: ',',
    pageSeparator: ',',
    item: ({ resourceType, id, name }, members) => [
      `{"ResourceType":"${resourceType}","Id":`,
      id,
      ...(name ? [',"Name":', jsonText(name)] : []),
      ...members,
      '}',
    ],
    scalar: (name, kind, value, nullable) => [
      `,"${name}":`,
      kind === 'richText' && beginnings !== undefined
        ? beginningOf(value, beginnings)
        : jsonScalar(kind, value, mayBeNull(kind, nullable), date),
    ],
    reference: (name, item) => [`,"${name}":`, sql`coalesce(${item}, 'null')`],
    collection: (name, { items, isCut, next }) => [
      `,"${name}":{`,
      sql`case when ${isCut} then ${glue(['"Next":"', ...next.map(escaped), '",'])} else '' end`,
      '"Items":[',
      items,
      ']}',
    ],
    customFields: (fields) => [',"CustomFields":[', fields, ']'],
    customField: ({ name, type, value }) => [
      '{"Name":',
      jsonName(name),
      ',"Type":"',
      type,
      '","Value":',
      sql`coalesce(${value((one) => customValue(one, spelling))}, 'null')`,
      '}',
    ],
  };
}

const jsonText = ({ text, isNullable }: NonNullable<ItemHead['name']>): Sql =>
  isNullable ? sql`coalesce(to_json(${text})::text, 'null')` : sql`to_json(${text})::text`;

const escaped = (piece: Piece): Piece => (typeof piece === 'string' ? JSON.stringify(piece).slice(1, -1) : piece);

export function jsonScalar(kind: ScalarKind, value: Sql, nullable: boolean, date: (value: Sql) => Sql): Sql {
  if (nullable) return sql`coalesce(${spellers[kind](value, date)}, 'null')`;
  return kind === 'moment' || kind === 'flag' ? sql`(${spellers[kind](value, date)})` : spellers[kind](value, date);
}

const asText = (value: Sql): Sql => sql`(${value})::text`;
const quoted = (value: Sql): Sql => sql`to_json(${value})::text`;

const spellers: Record<ScalarKind, (value: Sql, date: (value: Sql) => Sql) => Sql> = {
  text: quoted,
  richText: quoted,
  choice: quoted,
  id: asText,
  integer: asText,
  long: asText,
  decimal: asText,
  double: asText,
  flag: asText,
  moment: (value, date) => date(value),
};

const beginningOf = (value: Sql, characters: number): Sql => {
  const text = quoted(sql`left(${value}, ${literal(characters)})`);
  return sql`coalesce(${glue(['{"Length":', sql`char_length(${value})`, ',"Text":', text, '}'])}, 'null')`;
};

/** Of a custom field. */
export const jsonName = (name: Piece): Piece =>
  typeof name === 'string' ? JSON.stringify(name) : sql`to_json(${name})::text`;

/** Null for null. */
function customValue(field: CustomFieldValue, spelling: Spelling): Sql {
  const special: Partial<Record<CustomFieldType, () => Sql>> = {
    Date: () => jsonDate(momentOf(field.text), spelling),
    Entity: () => entity(field),
    URL: () => address(field),
  };
  return (special[field.type] ?? (() => sql`(${field.value})::text`))();
}

/** An empty label is not stored. */
const address = ({ value }: CustomFieldValue): Sql =>
  glue([
    '{"Url":',
    sql`to_json(${value} ->> 'Url')::text`,
    ',"Label":',
    sql`coalesce(to_json(${value} ->> 'Label')::text, 'null')`,
    '}',
  ] satisfies Piece[]);

const entity = ({ value, targetName }: CustomFieldValue): Sql =>
  glue([
    '{"Id":',
    sql`(${value} ->> 'Id')`,
    ',"Kind":',
    sql`to_json(${value} ->> 'Kind')::text`,
    ...(targetName ? [',"Name":', sql`coalesce(to_json(${targetName})::text, 'null')`] : []),
    '}',
  ] satisfies Piece[]);
