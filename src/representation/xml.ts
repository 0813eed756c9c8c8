/** XML as version 1 speaks it: Id, Name and the type as attributes, all else as elements, null as `nil="true"`. */

import type { ScalarKind } from '../model/scalars.js';
import type { CustomFieldType } from '../query/meaning.js';
import { glue, momentOf, type Piece, type Sql, sql } from '../sql.js';
import { localDate, mayBeNull } from './dates.js';
import type { CustomFieldValue, ItemHead, Representation } from './representation.js';

export const xmlRepresentation: Representation = {
  format: 'xml',
  separator: '',
  pageSeparator: '\n  ',
  item: ({ element, resourceType, id, name }, members) => {
    const head: Piece[] = [
      `<${element} ResourceType="${resourceType}" Id="`,
      id,
      '"',
      ...(name ? namePieces(name) : []),
    ];
    return members.length === 0 ? [...head, ' />'] : [...head, '>', ...members, `</${element}>`];
  },
  scalar: (name, kind, value, nullable) => element(name, spellers[kind](value), mayBeNull(kind, nullable)),
  reference: (name, item) => [sql`coalesce(${item}, ${glue([nil(name)])})`],
  collection: (name, { items, isCut, next }) => [
    `<${name}`,
    sql`case when ${isCut} then ${glue([' Next="', ...next.map(escaped), '"'])} else '' end`,
    '>',
    items,
    `</${name}>`,
  ],
  customFields: (fields) => ['<CustomFields>', fields, '</CustomFields>'],
  customField: ({ name, type, value }) => [
    '<Field Type="',
    type,
    '"><Name>',
    typeof name === 'string' ? escapeXml(name) : elementText(name),
    '</Name>',
    sql`coalesce(${glue(['<Value>', value(customValue), '</Value>'])}, '<Value nil="true" />')`,
    '</Field>',
  ],
};

const escaped = (piece: Piece): Piece => (typeof piece === 'string' ? escapeXml(piece) : piece);

function namePieces({ text, isNullable }: NonNullable<ItemHead['name']>): Piece[] {
  const pieces = [' Name="', attributeText(text), '"'];
  return isNullable ? [sql`coalesce(${glue(pieces)}, '')`] : pieces;
}

const nil = (name: string): string => `<${name} nil="true" />`;

const element = (name: string, text: Sql, nullable: boolean): Piece[] =>
  nullable
    ? [sql`coalesce(${glue([`<${name}>`, text, `</${name}>`])}, ${glue([nil(name)])})`]
    : [`<${name}>`, text, `</${name}>`];

/** Carriage returns are spelled out, or a parser turns them into line feeds. */
const elementText = (value: Sql): Sql =>
  sql`replace(replace(replace(replace(${value}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), E'\\r', '&#13;')`;

/** In attributes line breaks and tabs are spelled out too, or a parser turns them into spaces. */
const attributeText = (value: Sql): Sql =>
  sql`replace(replace(replace(${elementText(value)}, '"', '&quot;'), E'\\n', '&#10;'), E'\\t', '&#9;')`;

const asText = (value: Sql): Sql => sql`(${value})::text`;

const spellers: Record<ScalarKind, (value: Sql) => Sql> = {
  text: elementText,
  richText: elementText,
  choice: elementText,
  id: asText,
  integer: asText,
  long: asText,
  decimal: asText,
  double: asText,
  flag: asText,
  moment: localDate,
};

function customValue(field: CustomFieldValue): Sql {
  const special: Partial<Record<CustomFieldType, () => Sql>> = {
    Date: () => localDate(momentOf(field.text)),
    URL: () => pair(field, ['Url', 'Label']),
    Entity: () => entity(field),
  };
  return (special[field.type] ?? (() => elementText(field.text)))();
}

const pair = ({ value }: CustomFieldValue, [first, second]: readonly [string, string]): Sql =>
  glue([
    `<${first}>`,
    elementText(sql`(${value} ->> ${glue([first])})`),
    `</${first}>`,
    sql`coalesce(${glue([`<${second}>`, elementText(sql`(${value} ->> ${glue([second])})`), `</${second}>`])}, ${glue([nil(second)])})`,
  ]);

const entity = ({ value, targetName }: CustomFieldValue): Sql =>
  glue([
    '<Id>',
    sql`(${value} ->> 'Id')`,
    '</Id><Kind>',
    elementText(sql`(${value} ->> 'Kind')`),
    '</Kind>',
    ...(targetName ? [sql`coalesce('<Name>' || ${elementText(targetName)} || '</Name>', '<Name nil="true" />')`] : []),
  ]);

export const escapeXml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;')
    .replaceAll('\n', '&#10;')
    .replaceAll('\t', '&#9;');
