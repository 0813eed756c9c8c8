/** Spells a condition as SQL about the row at hand, in the form that is best for it. */
import { Bound } from '../../bound.js';
import type { CollectionField } from '../../model/model.js';
import {
  all,
  any,
  column,
  exists,
  folded,
  foldedPart,
  inParentheses,
  isOver,
  late,
  literal,
  name,
  not,
  ofParts,
  raw,
  type Sql,
  type SqlType,
  sql,
  value,
} from '../../sql.js';
import type { ActorSet, Chain, Condition, Of, Operand, Value } from '../meaning.js';
import { comparisons, partOperators } from '../operators.js';
import { condition, isTest } from '../values.js';
import { conditionsSql, further, kindConditions, kindSql, type Row, rowConditions } from './compiling.js';
import { formOf, idTest, isConstant, isOwn, mayBeUnknown, type Related, relation, seenOf } from './forms.js';
import { namesOf } from './stored-value.js';
import {
  chainSql,
  filtersSql,
  idSql,
  isSelection,
  itemsSql,
  linkedSql,
  offsetSql,
  selectionSql,
  valueSql,
  withRow,
} from './value.js';

export function conditionSql(node: Condition, row: Row): Sql {
  const form = formOf(node);
  if (form.kind === 'literal') return raw(form.value === true ? 'true' : 'false');
  if (!isTest(form)) return valueSql(form, row);
  switch (form.kind) {
    case 'and':
    case 'or':
      return groupSql(form.kind, form.parts, row);
    case 'not':
      return notSql(form.of, row);
    case 'compare':
      return compareSql(form, row);
    case 'in':
      return inSql(form, row);
    case 'contains':
      return containsSql(form, row);
    case 'null':
      return nullSql(form.of, row);
    case 'near':
      return nearSql(form, row);
    case 'some':
      return someSql(form.of, row);
    case 'related':
      return relatedSql(form, row);
    case 'inside':
      return insideSql(form, row);
    case 'deleted':
      return sql`${column(row.alias, 'delete_date')} is not null`;
    case 'deletedBefore':
      return sql`coalesce(${column(row.alias, 'delete_date')} < now() - interval '1 day', false)`;
    case 'mine':
      return mineSql(column(row.alias, form.column), form.set, row);
    case 'linkedToMine':
      return linkedToMineSql(form, row);
    case 'ofKind':
      return kindSql(row.alias, form.column, form.values);
  }
}

function groupSql(kind: 'and' | 'or', parts: readonly Condition[], row: Row): Sql {
  if (parts.length === 0) return raw(kind === 'and' ? 'true' : 'false');
  const spelled = parts.map((part) => conditionSql(part, row));
  if (spelled.length === 1) return spelled[0]!;
  return kind === 'and' ? inParentheses(all(spelled)) : sql`(${any(spelled)})`;
}

/** Two-valued: what is unknown counts as not so, and `not` of it holds. */
function notSql(of: Condition, row: Row): Sql {
  const form = formOf(of);
  // Spelled as the predicates of the indexes are.
  if (form.kind === 'deleted') return sql`${column(row.alias, 'delete_date')} is null`;
  return mayBeUnknown(form) ? sql`(${conditionSql(form, row)}) is not true` : not(conditionSql(form, row));
}

// --- comparisons -----------------------------------------------------------------------------------------------------

/**
 * Text is compared without regard to case, by the database's rules on both sides; names of an enumeration have one
 * spelling.
 */
const isText = ({ type }: Value): boolean => type.kind === 'text' || type.kind === 'link';
const isChoice = ({ type }: Value): boolean => type.kind === 'text' && type.choices !== undefined;

/** As text is compared. Beside what is the same for all rows a column stands as it does in indexes. */
const foldedSql = (of: Value, row: Row, isPlain: boolean): Sql =>
  isPlain && isOwn(of) ? sql`lower(${valueSql(of, row)})` : folded(valueSql(of, row));

/** Nothing equals nothing, and differs from everything else. */
function compareSql({ operator, left, right }: Of<'compare'>, row: Row): Sql {
  const contained = operator === 'eq' && containmentSql(left, right, row);
  if (contained) return contained;
  const areChosen = (operator === 'eq' || operator === 'ne') && [left, right].some(isSelection);
  const spelled = (side: Value): Sql => {
    if (!isText(left) || (isChoice(left) && isChoice(right))) return valueSql(side, row);
    const text = foldedSql(side, row, isConstant(right));
    return areChosen ? selectionSql(text) : text;
  };
  const [one, other] = [spelled(left), spelled(right)];
  if (operator === 'ne' && (left.nullable || right.nullable)) return sql`${one} is distinct from ${other}`;
  if (operator === 'eq' && left.nullable && right.nullable) return sql`${one} is not distinct from ${other}`;
  return sql`${one} ${comparisons[operator].sql} ${other}`;
}

/** Equality of numbers, flags and options of custom fields is containment, which the index on custom values answers. */
function containmentSql(left: Value, right: Value, row: Row): Sql | undefined {
  if (!isOwn(left) || left.operand.kind !== 'custom' || left.operand.values || right.kind !== 'literal')
    return undefined;
  const { operand } = left;
  const content = contents[operand.type];
  if (!content || right.value === null || (operand.type === 'DropDown' && !right.isOption)) return undefined;
  const bound = Bound.of(right.value);
  const contained = groupedAny(
    namesOf(operand).map((name) => {
      const stored = bound.map((one) => `{${JSON.stringify(name)}:${content(String(one))}}`);
      return sql`${column(row.alias, operand.column)} @> ${value(stored, 'jsonb')}`;
    }),
  );
  return operand.type === 'Entity' ? sql`(${contained} and ${valueSql(left, row)} is not null)` : contained;
}

const groupedAny = (tests: readonly Sql[]): Sql => (tests.length === 1 ? tests[0]! : sql`(${any(tests)})`);

/** `+5`, `.5` and `5.` are numbers to a filter and none to JSON. */
const jsonNumber = (text: string): string =>
  text
    .replace(/^\+/, '')
    .replace(/^(-?)0+(?=\d)/, '$1')
    .replace(/^(-?)\./, '$10.')
    .replace(/\.(?=e|E|$)/, '');

const contents: Partial<Record<Extract<Operand, { kind: 'custom' }>['type'], (value: string) => string>> = {
  Number: jsonNumber,
  Money: jsonNumber,
  CheckBox: (flag) => flag,
  DropDown: (option) => JSON.stringify(option),
  Entity: (id) => `{"Id":${jsonNumber(id)}}`,
};

function inSql({ of, values }: Of<'in'>, row: Row): Sql {
  const literals = values.filter((one) => one.kind === 'literal');
  const [first] = literals;
  if (!first || literals.length < values.length) {
    const equal = (right: Value): Condition => condition({ kind: 'compare', operator: 'eq', left: of, right });
    return groupSql('or', values.map(equal), row);
  }
  const isFolded = isText(of) && !isChoice(of);
  const left = isFolded ? foldedSql(of, row, true) : valueSql(of, row);
  const spelled = isSelection(of) ? selectionSql : (text: Sql) => text;
  const bound = value(Bound.list(literals.map((one) => Bound.of(one.value))), `${first.sqlType}[]` as SqlType);
  return isFolded
    ? sql`${spelled(left)} in (select ${spelled(folded(raw('listed')))} from unnest(${bound}) listed)`
    : sql`${left} = any(${bound})`;
}

function containsSql({ of, part, wholeStart, wholeEnd }: Of<'contains'>, row: Row): Sql {
  const whole = foldedSql(of, row, isConstant(part));
  if (part.kind === 'literal') {
    if (part.value === null) return raw('false');
    const pattern = patternSql(Bound.of(part.value).map(String), wholeStart ? '' : '%', wholeEnd ? '' : '%');
    // Most parts leave the text as it stands in the index of parts of names.
    return part.hasSigma ? sql`${ofParts(whole)} like ${ofParts(pattern)}` : sql`${whole} like ${pattern}`;
  }
  const sought = foldedPart(valueSql(part, row));
  return partOperators
    .find((one) => one.wholeStart === wholeStart && one.wholeEnd === wholeEnd)!
    .sql(ofParts(whole), sought);
}

function patternSql(text: Bound<string>, before: string, behind: string): Sql {
  const escaped = text.map((part) => part.replace(/[\\%_]/g, (special) => `\\${special}`));
  return folded(
    value(
      escaped.map((part) => `${before}${part}${behind}`),
      'text',
    ),
  );
}

const nullSql = (of: Value, row: Row): Sql =>
  sql`(${of.type.kind === 'entity' ? idSql(of, row) : valueSql(of, row)}) is null`;

/** Fewer than so many lie between it and now. */
function nearSql(node: Of<'near'>, row: Row): Sql {
  const bound = node.isPast ? 'end_date' : 'start_date';
  const isAway = (of: Sql): Sql => (node.isPast ? isOver(of) : sql`${of} > now()`);
  const nearer = raw(node.isPast ? '>' : '<');
  return withRow(node.of, row, (one) => {
    const other = further(one);
    const between = all([
      ...rowConditions(node.resource, seenOf(node), other),
      sql`${column(other.alias, node.owner.column)} = ${column(one.alias, node.owner.column)}`,
      isAway(column(other.alias, bound)),
      sql`(${column(other.alias, bound)}, ${column(other.alias, 'id')}) ${nearer} (${column(one.alias, bound)}, ${column(one.alias, 'id')})`,
    ]);
    return sql`(${isAway(column(one.alias, bound))}
      and (select count(*) from ${name(node.resource.table)} ${other.alias} where ${between}) < ${literal(node.count)})`;
  });
}

// --- other rows: what a reference points at, items of a collection ---------------------------------------------------

function relatedSql(condition: Related, row: Row): Sql {
  const { field, where } = condition;
  const key = column(row.alias, field.column);
  const target = further(row);
  const id = column(target.alias, 'id');
  const from = sql`from ${name(field.target.table)} ${target.alias} where`;
  // The column may hold other kinds, which are none of the target; and the kind tells the database an index and how few
  // rows to expect.
  const filter = (parts: readonly Condition[]): Sql[] => rowConditions(field.target, parts, target);
  switch (relation(condition)) {
    case 'present':
      return sql`(${key} is not null)`;
    case 'byId': {
      // `Project.Id eq 5` is a test of the key; whether that project may be seen is asked once, not row by row.
      const byId = idTest(where)!;
      const rest = filter(where.filter((part) => part !== byId));
      const wanted = valueSql(byId.right, row);
      const equal = sql`${key} = ${wanted}`;
      if (rest.length === 0) return sql`(${equal})`;
      return sql`(${equal} and exists (select 1 ${from} ${all([sql`${id} = ${wanted}`, ...rest])}))`;
    }
    case 'configuration':
      return sql`(${key} = any(array(select ${id} ${from} ${all(filter(where))})))`;
    case 'exists':
      return exists(from, all([sql`${id} = ${key}`, ...filter(where)]));
  }
}

/** The columns of a row that all of these hold for that can but have one value. */
export function comparedIds(
  conditions: readonly Condition[],
  row: Row,
  ids = new Map<string, Sql>(),
): Map<string, Sql> {
  for (const condition of conditions) {
    if (condition.kind === 'and') comparedIds(condition.parts, row, ids);
    else if (condition.kind === 'inside' && condition.field.via.kind === 'key') {
      ids.set(condition.field.via.column, late('id'));
    } else if (condition.kind === 'related') {
      const byId = idTest(condition.where);
      if (byId) ids.set(condition.field.column, valueSql(byId.right, row));
    }
  }
  return ids;
}

/** Of a collection of the row at hand that is asked nothing more, the database may begin with the items. */
function someSql(chain: Chain, row: Row): Sql {
  const { source, filters, take, skip } = chain;
  if (take === 0) return raw('false');
  if (source === 'root') {
    const filter = all(conditionsSql(filters, row));
    return filters.length === 0 ? raw('count(*) > 0') : sql`count(*) filter (where ${filter}) > 0`;
  }
  if (source.kind === 'values' || source.owner.kind !== 'row' || skip !== undefined || chain.within)
    return chainSql(chain, row, ({ from }) => sql`exists (select 1 ${from}${offsetSql(skip)})`);
  const { field } = source;
  const item = further(row);
  const asked = [...kindConditions(field.target, item), ...filtersSql(chain, item, row)];
  const conditions = [...asked, ...conditionsSql(seenOf(chain), item)];
  return exists(sql`${joinedSql(field, row, item)} and`, all(conditions), field.via.kind === 'key' ? 1 : 2);
}

/** The items for asking whether there is one: twice the same does no harm, and a join can be begun from either end. */
function joinedSql(field: CollectionField, row: Row, item: Row): Sql {
  if (field.via.kind === 'key') return itemsSql(field, row.alias, item);
  const link = item.aliases.next();
  const { from, to, table } = field.via;
  return sql`from ${name(table)} ${link} join ${name(field.target.table)} ${item.alias} on ${column(item.alias, 'id')} = ${column(link, to)}
    where ${column(link, from)} = ${column(row.alias, 'id')}`;
}

function insideSql({ field, owner, where }: Of<'inside'>, row: Row): Sql {
  const ownerId = late('id');
  const ownerRow = further(row);
  const filter = all(rowConditions(owner, where, ownerRow));
  const isThere = sql`exists (select 1 from ${name(owner.table)} ${ownerRow.alias}
    where ${column(ownerRow.alias, 'id')} = ${ownerId} and ${filter})`;
  if (field.via.kind === 'key') return sql`${column(row.alias, field.via.column)} = ${ownerId} and ${isThere}`;
  return sql`${linkedSql(field.via, ownerId, row)} and ${isThere}`;
}

// --- the actor -------------------------------------------------------------------------------------------------------

const sets: Record<ActorSet, (key: Sql) => Sql> = {
  projects: (key) => sql`${key} = any(${late('actor.projects')})`,
  teams: (key) => sql`${key} = any(${late('actor.teams')})`,
  user: (key) => sql`${key} = ${late('actor.user')}`,
  'context projects': (key) => sql`${key} = any(${late('context.projects')})`,
  'context teams': (key) => sql`${key} = any(${late('context.teams')})`,
};

const formerSets: Partial<Record<ActorSet, Sql>> = { projects: raw('was_in_project'), teams: raw('was_in_team') };

function mineSql(key: Sql, set: ActorSet, { alias, asOf }: Row): Sql {
  const wasIn = asOf && formerSets[set];
  if (!wasIn) return sets[set](key);
  return sql`${wasIn}(${late('actor.user')}, ${key}, least(${column(alias, 'delete_date')}, ${asOf}))`;
}

function linkedToMineSql({ table, from, column: columnName, set }: Of<'linkedToMine'>, row: Row): Sql {
  const link = row.aliases.next();
  const isMine = mineSql(column(link, columnName), set, row);
  return exists(
    sql`from ${name(table)} ${link} where ${column(link, from)} = ${column(row.alias, 'id')}
    and`,
    isMine,
  );
}
