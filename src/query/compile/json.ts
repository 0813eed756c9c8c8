/** Spells an expression as the text of a JSON value; null where the value is null and may be left out. */
import type { JsonV2 } from '../../representation/json-v2.js';
import { column, constant, glue, type Piece, type Sql, sql, value } from '../../sql.js';
import { spanText } from '../functions/conversion.js';
import type { Chain, ObjectMember, Of, Value } from '../meaning.js';
import { isScalar, shownAs } from '../types.js';
import { mayReadAsNull, ofSorts } from '../values.js';
import {
  customFieldsSize,
  expressionSize,
  measured,
  measuredItem,
  measuredText,
  pageOf,
  shareOf,
} from './answer-size.js';
import type { Row } from './compiling.js';
import { customFieldsSql } from './custom.js';
import { itemSql } from './item.js';
import { storedIn } from './stored-value.js';
import { chainSql, firstOf, firstOfEach, limitOf, valueSql, withRow } from './value.js';

const isPlain = ofSorts('single', 'test', 'entity');

export function jsonSql(node: Value, row: Row): Sql {
  if (isPlain(node)) return scalarSql(node, row);
  switch (node.kind) {
    case 'object':
      return objectSql(node.members, row);
    case 'chain':
      return listSql(node, row);
    case 'mapped':
      return withRow(node.of, row, (one) => jsonSql(node.body, one));
    case 'item':
      return withRow(node.of, row, (one) =>
        itemSql(shownOf(node), one, { format: jsonOf(row), tail: '', share: row.to.share }),
      );
    case 'customFields':
      return withRow(node.of, row, (one) => customSql(node, one));
    case 'first':
      return chainSql(node.of, row, ({ from, order, row: item }) => {
        return sql`(select ${jsonSql(node.of.projection!, item)} ${from} order by ${order} ${firstOf(node.of)})`;
      });
    case 'key':
      return scalarSql(node, row);
    case 'conditional':
      return isScalar(node.type) ? scalarSql(node, row) : oneOfSql(node, row);
  }
}

function oneOfSql({ test, yes, no }: Of<'conditional'>, row: Row): Sql {
  const [one, other] = [jsonSql(yes, row), jsonSql(no, row)];
  return sql`(case when ${row.to.spell.condition(test, row)} then ${one} else ${other} end)`;
}

function jsonOf({ to: { json } }: Row): JsonV2 {
  if (!json) throw new Error('only version 2 shows values');
  return json;
}

function shownOf({ shown }: Of<'item'>) {
  if (!shown) throw new Error('an item was compiled before it was scoped');
  return shown;
}

function scalarSql(node: Value, row: Row): Sql {
  if (node.type.kind === 'span') return jsonOf(row).value('text', spanText(valueSql(node, row)));
  if (node.type.kind === 'link') return linkSql(node, row);
  const spelled = jsonOf(row).value(shownAs[node.type.kind]!, valueSql(node, row));
  return measuredText(spelled, expressionSize(node), row.to.share);
}

function linkSql(node: Value, row: Row): Sql {
  if (node.kind !== 'field' || node.operand.kind !== 'custom') throw new Error('a link is a custom field');
  const { operand } = node;
  return withRow(node.of, row, (one) =>
    jsonOf(row).link(sql`(${storedIn(column(one.alias, operand.column), operand)})`),
  );
}

function customSql({ groups, type }: Of<'customFields'>, row: Row): Sql {
  const json = jsonOf(row);
  const text = customFieldsSql(groups, type.resource, row, json);
  return json.customValues(measuredText(text, customFieldsSize, row.to.share));
}

/** `{"id":1,"name":"x"}`: a member that is null is not there, and neither is its comma. */
function objectSql(members: readonly ObjectMember[], row: Row): Sql {
  const [first] = members;
  if (!first) return constant('{}');
  const isCertain = !mayReadAsNull(first.value);
  const pieces = members.flatMap((one) => memberPieces(one, row, isCertain && one === first ? '' : ','));
  return glue(isCertain ? ['{', ...pieces, '}'] : ['{', sql`substr(${glue(pieces)}, 2)`, '}']);
}

function memberPieces(member: ObjectMember, row: Row, comma: string): Piece[] {
  const text = jsonSql(member.value, row);
  const key = `${comma}${JSON.stringify(member.name)}:`;
  // A name of the client's own is a value like any other.
  const label: Piece = member.isKnown ? key : value(key, 'text');
  return mayReadAsNull(member.value) ? [sql`coalesce(${glue([label, text])}, '')`] : [label, text];
}

/**
 * An item of a list: null is written, since it has its place there. Its parts that may be long share what an item may
 * take.
 */
function listedItem(item: Value, row: Row): Sql {
  const outer = row.to.share;
  row.to.share = shareOf(expressionSize(item), outer);
  const text = jsonSql(item, row);
  row.to.share = outer;
  return mayReadAsNull(item) ? sql`coalesce(${text}, 'null')` : text;
}

export const spelledItem = (item: Value, row: Row): Sql => measuredItem(listedItem(item, row), expressionSize(item));

/** A bare array of what the items were turned into, or `{"items": […]}` of the items themselves. */
function listSql(chain: Chain, row: Row): Sql {
  return chainSql(chain, row, (opened) => {
    const one = listedItem(chain.projection!, opened.row);
    const texts = chain.isDistinct
      ? firstOfEach(chain, sql`${one} as v`, opened, 'v')
      : sql`select ${one} as item ${opened.from} order by ${opened.order} ${limitOf(chain)}`;
    const all = measured(texts, pageOf(chain), expressionSize(chain.projection!), row.to.share, opened.row);
    const items = sql`array_to_string(array(${all}), ',')`;
    return chain.isListed ? glue(['{"items":[', items, ']}']) : glue(['[', items, ']']);
  });
}
