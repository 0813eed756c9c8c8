/** JSON as version 2 speaks it: names in camelCase, and nothing of what is null. */

import { camelCase } from '../model/camel-case.js';
import type { ScalarKind } from '../model/scalars.js';
import type { CustomFieldType } from '../query/meaning.js';
import { glue, momentOf, type Piece, type Sql, sql } from '../sql.js';
import { jsonDate, mayBeNull } from './dates.js';
import { jsonName, jsonScalar } from './json.js';
import type { CustomFieldValue, Representation, Spelling } from './representation.js';

export interface JsonV2 extends Representation {
  readonly dates: Spelling['dates'];
  /** A value of its own; null for null. */
  value(kind: ScalarKind, value: Sql): Sql;
  /** All custom fields, by the text of their list. */
  customValues(fields: Sql): Sql;
  /** A custom field that holds an address, as it is stored. */
  link(stored: Sql): Sql;
}

const namePieces = (text: Sql, isNullable: boolean): Piece[] =>
  isNullable ? optional('name', text) : [',"name":', text];

/** `pageSeparator`: what stands between the items of a page. */
export function jsonV2Representation(spelling: Spelling, pageSeparator = ','): JsonV2 {
  const date = (value: Sql): Sql => jsonDate(value, spelling);
  const spell = (kind: ScalarKind, value: Sql): Sql => jsonScalar(kind, value, false, date);
  return {
    format: 'json',
    dates: spelling.dates,
    separator: ',',
    pageSeparator,
    value: spell,
    link: address,
    item: ({ resourceType, id, name }, members) => [
      `{"resourceType":"${resourceType}","id":`,
      id,
      ...(name ? namePieces(spell('text', name.text), name.isNullable) : []),
      ...members,
      '}',
    ],
    scalar: (name, kind, value, nullable) =>
      mayBeNull(kind, nullable)
        ? optional(camelCase(name), spell(kind, value))
        : [`,"${camelCase(name)}":`, spell(kind, value)],
    reference: (name, item) => optional(camelCase(name), item),
    collection: (name, { items }) => [`,"${camelCase(name)}":{"items":[`, items, ']}'],
    customValues,
    customFields: (fields) => [',"customValues":', customValues(fields)],
    customField: ({ name, type, value }) => [
      '{"name":',
      jsonName(name),
      ',"type":"',
      type,
      '"',
      ...optional(
        'value',
        value((one) => customValue(one, spelling)),
      ),
      '}',
    ],
  };
}

const customValues = (fields: Sql): Sql => glue(['{"customFields":[', fields, ']}']);

const optional = (name: string, text: Sql): Piece[] => [sql`coalesce(${glue([`,"${name}":`, text])}, '')`];

function customValue(field: CustomFieldValue, spelling: Spelling): Sql {
  const special: Partial<Record<CustomFieldType, () => Sql>> = {
    Date: () => jsonDate(momentOf(field.text), spelling),
    Entity: () => pointer(field),
    URL: () => address(field.value),
  };
  // A stored JSON null says nothing either.
  return (special[field.type] ?? (() => sql`nullif((${field.value})::text, 'null')`))();
}

const pointer = ({ value, targetName }: CustomFieldValue): Sql =>
  glue([
    '{"id":',
    sql`(${value} ->> 'Id')`,
    ',"kind":',
    sql`to_json(${value} ->> 'Kind')::text`,
    ...(targetName ? optional('name', sql`to_json(${targetName})::text`) : []),
    '}',
  ]);

const address = (stored: Sql): Sql =>
  glue([
    '{"url":',
    sql`to_json(${stored} ->> 'Url')::text`,
    ...optional('label', sql`to_json(${stored} ->> 'Label')::text`),
    '}',
  ]);
