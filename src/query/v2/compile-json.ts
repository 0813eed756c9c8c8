/** Spells an expression as the text of a JSON value; null where the value is null and may be left out. */
import type { JsonV2 } from '../../representation/json-v2.js';
import { column, constant, glue, type Piece, type Sql, sql, value } from '../../sql.js';
import { customFieldsSize, measured, measuredText, shareOf } from '../answer-size.js';
import { customFieldsSql } from '../compile-custom.js';
import { itemSql } from '../compile-item.js';
import { firstOf, limitOf } from '../compile-order.js';
import type { Compiling, Row } from '../compiling.js';
import type { Chain, ObjectMember, Of, Value } from '../meaning.js';
import { chainSql, firstOfEach } from './compile-chain.js';
import { predicateSql } from './compile-predicate.js';
import { withRow } from './compile-rows.js';
import { valueSql } from './compile-value.js';
import { expressionSize, pageOf } from './expression-size.js';
import { spanText } from './functions-conversion.js';
import { isScalar, type Kind } from './types.js';

export function jsonSql(node: Value, to: Compiling): Sql {
  switch (node.kind) {
    case 'object':
      return objectSql(node.members, to);
    case 'chain':
      return listSql(node, to);
    case 'mapped':
      return withRow(node.of, to, (row) => {
        to.rows.set(node.binder, row);
        return jsonSql(node.body, to);
      });
    case 'item':
      return withRow(node.of, to, (row) => itemSql(shownOf(node), row, { format: jsonOf(to), tail: '' }));
    case 'customFields':
      return withRow(node.of, to, (row) => customSql(node, row, to));
    case 'first':
      return chainSql(node.of, to, ({ from, order }) => {
        return sql`(select ${jsonSql(node.of.projection!, to)} ${from} order by ${order} ${firstOf(node.of)})`;
      });
    case 'key':
      // What is grouped by how it is shown is spelled already.
      return node.type.kind === 'object' ? valueSql(node, to) : scalarSql(node, to);
    case 'conditional':
      return isScalar(node.type) ? scalarSql(node, to) : oneOfSql(node, to);
    default:
      return scalarSql(node, to);
  }
}

function oneOfSql({ test, yes, no }: Of<'conditional'>, to: Compiling): Sql {
  const [one, other] = [jsonSql(yes, to), jsonSql(no, to)];
  return sql`(case when ${predicateSql(test, to)} then ${one} else ${other} end)`;
}

function jsonOf({ json }: Compiling): JsonV2 {
  if (!json) throw new Error('only version 2 shows values');
  return json;
}

function shownOf({ shown }: Of<'item'>) {
  if (!shown) throw new Error('an item was compiled before it was scoped');
  return shown;
}

const kinds: Partial<Record<Kind, Parameters<JsonV2['value']>[0]>> = {
  text: 'text',
  integer: 'long',
  decimal: 'decimal',
  double: 'double',
  boolean: 'flag',
  moment: 'moment',
  null: 'text',
};

function scalarSql(node: Value, to: Compiling): Sql {
  if (node.type.kind === 'span') return jsonOf(to).value('text', spanText(valueSql(node, to)));
  if (node.type.kind === 'link') return linkSql(node, to);
  const worth = measuredText(valueSql(node, to), expressionSize(node), to.share);
  return jsonOf(to).value(kinds[node.type.kind]!, worth);
}

function linkSql(node: Value, to: Compiling): Sql {
  if (node.kind !== 'field' || node.operand.kind !== 'custom') throw new Error('a link is a custom field');
  const { operand } = node;
  return withRow(node.of, to, (row) =>
    jsonOf(to).link(sql`(${column(row.alias, operand.column)} -> ${value(operand.name, 'text')})`),
  );
}

function customSql(node: Of<'customFields'>, row: Row, to: Compiling): Sql {
  const json = jsonOf(to);
  const { groups, type } = node;
  if (type.kind !== 'customValues') throw new Error('custom fields are values by name');
  return json.customValues(measuredText(customFieldsSql(groups, type.resource, row, json), customFieldsSize, to.share));
}

/** `{"id":1,"name":"x"}`: a member that is null is not there, and neither is its comma. */
function objectSql(members: readonly ObjectMember[], to: Compiling): Sql {
  const certain = members.findIndex(({ value: of }) => !of.nullable);
  if (certain === 0) {
    return glue([
      '{',
      ...memberPieces(members[0]!, to, ''),
      ...members.slice(1).flatMap((one) => memberPieces(one, to, ',')),
      '}',
    ]);
  }
  if (members.length === 0) return constant('{}');
  return glue(['{', sql`substr(${glue(members.flatMap((one) => memberPieces(one, to, ',')))}, 2)`, '}']);
}

function memberPieces(member: ObjectMember, to: Compiling, comma: string): Piece[] {
  const text = jsonSql(member.value, to);
  const key = `${comma}${JSON.stringify(member.name)}:`;
  // A name of the client's own is a value like any other.
  const label: Piece = member.isKnown ? key : value(key, 'text');
  return member.value.nullable ? [sql`coalesce(${glue([label, text])}, '')`] : [label, text];
}

/** An item of a list: null is told, since it has its place there. Its parts that may be long share what an item may take. */
export function spelledItem(item: Value, to: Compiling): Sql {
  const outer = to.share;
  to.share = shareOf(expressionSize(item));
  const text = jsonSql(item, to);
  to.share = outer;
  return item.nullable ? sql`coalesce(${text}, 'null')` : text;
}

/** A bare array of what the items were turned into, or `{"items": […]}` of the items themselves. */
function listSql(chain: Chain, to: Compiling): Sql {
  return chainSql(chain, to, (opened) => {
    const one = spelledItem(chain.projection!, to);
    const texts = chain.isDistinct
      ? firstOfEach(chain, sql`${one} as v`, opened, 'v')
      : sql`select ${one} as item ${opened.from} order by ${opened.order} ${limitOf(chain)}`;
    const all = measured(texts, pageOf(chain), expressionSize(chain.projection!), to.share, opened.row);
    const items = sql`array_to_string(array(${all}), ',')`;
    return chain.isListed ? glue(['{"items":[', items, ']}']) : glue(['[', items, ']']);
  });
}
