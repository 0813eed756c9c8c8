/**
 * SQL text and its values travel together. Only `Sql` can be embedded in a template: a bare string does not compile, so
 * no text that a client sent can become part of a statement. Identifiers come from the model through `name()`.
 */

import { Bound } from './bound.js';

/** A value known only when the statement runs: the same statement serves every actor of a shape, and every entity. */
export type LateValue =
  | 'actor.user'
  | 'actor.projects'
  | 'actor.teams'
  | 'context.projects'
  | 'context.teams'
  | 'base'
  | 'id'
  | 'ids';

/** `place`: which list of ids, where a statement has several. */
interface Late {
  late: LateValue;
  place?: number;
}

type Chunk = string | Sql | { value: Bound<unknown>; type: string } | (Late & { type: string });

/** A tree: pieces are put together without being copied, and read once, when the statement is finished. */
export class Sql {
  constructor(readonly chunks: readonly Chunk[]) {}
}

export type Parameter = { kind: 'value'; value: unknown; bound?: Bound<unknown> } | ({ kind: 'late' } & Late);

/** A statement ready to run: numbered placeholders and, in their order, what stands behind them. */
export interface Statement {
  text: string;
  parameters: Parameter[];
  /** It is planned for its values at each run, because no one way is good for all of them. */
  isPlannedEachTime?: boolean;
  /** Its answer may take megabytes. */
  isLong?: boolean;
}

export function sql(strings: TemplateStringsArray, ...parts: Sql[]): Sql {
  const chunks: Chunk[] = [strings[0]!];
  for (let index = 0; index < parts.length; index++) chunks.push(parts[index]!, strings[index + 1]!);
  return new Sql(chunks);
}

const identifier = /^[a-z_][a-z0-9_]*$/;

/** There are as many as the model has, and each is used in every statement. */
const names = new Map<string, Sql>();

/** An identifier of our own: a table, column or alias name declared in the model. */
export function name(text: string): Sql {
  const cached = names.get(text);
  if (cached) return cached;
  if (!identifier.test(text)) throw new Error(`not an identifier of the model: ${text}`);
  const made = new Sql([`"${text}"`]);
  names.set(text, made);
  return made;
}

class Column extends Sql {
  constructor(
    readonly alias: Sql,
    readonly columnName: Sql,
  ) {
    super([alias, '.', columnName]);
  }
}

/** `alias.column`, both of the model. */
export const column = (alias: Sql, columnName: string): Sql => new Column(alias, name(columnName));

/** The names of the columns of one row that an expression reads, each once. */
export function columnsOf(expression: Sql, alias: Sql): Sql[] {
  const columns = new Set<Sql>();
  const visit = (part: Sql): void => {
    if (part instanceof Column) {
      if (part.alias === alias) columns.add(part.columnName);
      return;
    }
    for (const chunk of part.chunks) if (chunk instanceof Sql) visit(chunk);
  };
  visit(expression);
  return [...columns];
}

/** A bound value. `type` is a PostgreSQL type, written as a cast so that plans do not depend on guesses. */
export const value = (bound: unknown, type: SqlType): Sql =>
  new Sql([{ value: bound instanceof Bound ? bound : Bound.constant(bound), type }]);

export type SqlType =
  | 'int'
  | 'bigint'
  | 'bigint[]'
  | 'numeric'
  | 'numeric[]'
  | 'double precision'
  | 'double precision[]'
  | 'text'
  | 'text[]'
  | 'boolean'
  | 'boolean[]'
  | 'timestamptz'
  | 'timestamptz[]'
  | 'jsonb';

/** A value that is filled in at each run. */
export const late = (which: LateValue, place?: number): Sql =>
  new Sql([{ late: which, place, type: lateTypes[which] }]);

const lateTypes: Record<LateValue, SqlType> = {
  'actor.user': 'bigint',
  'actor.projects': 'bigint[]',
  'actor.teams': 'bigint[]',
  'context.projects': 'bigint[]',
  'context.teams': 'bigint[]',
  base: 'text',
  id: 'bigint',
  ids: 'bigint[]',
};

/** Access to the columns of one row, for computed values. */
export type RowExpression = (row: (column: string) => Sql) => Sql;

/** A whole number of ours, written into the text: `take` and `skip` make few shapes and better plans as literals. */
export function literal(number: number): Sql {
  if (!Number.isSafeInteger(number)) throw new Error(`not a whole number: ${number}`);
  return new Sql([String(number)]);
}

/** A constant text of ours (a name of the model, a piece of JSON or XML), written into the statement. */
export const constant = (text: string): Sql => new Sql([`'${text.replaceAll("'", "''")}'`]);

/** A piece of SQL syntax of ours; never made from client text. */
export const raw = (text: string): Sql => new Sql([text]);

export function join(parts: readonly Sql[], separator: Sql): Sql {
  const chunks: Chunk[] = [];
  for (const part of parts) {
    if (chunks.length > 0) chunks.push(separator);
    chunks.push(part);
  }
  return new Sql(chunks);
}

export const list = (parts: readonly Sql[]): Sql => join(parts, raw(', '));

/** A condition that asks for further rows, which the database may join to the row that it is about. */
class Joinable extends Sql {
  constructor(
    { chunks }: Sql,
    /** Of how many tables. */
    readonly tables: number,
    /** The same, asked row by row. */
    readonly apart: Sql,
  ) {
    super(chunks);
  }
}

const joinedBy = (condition: Sql): number => (condition instanceof Joinable ? condition.tables : 0);
const apart = (condition: Sql): Sql => (condition instanceof Joinable ? condition.apart : condition);

/** `exists (select 1 …)`. `tables` are those of `rows` itself; what `where` asks for comes on top. */
export function exists(rows: Sql, where: Sql, tables = 1): Sql {
  const asked = sql`select 1 ${rows} ${where}`;
  // With an offset it is neither joined nor planned in two ways, of which there would be four for one inside of one.
  return new Joinable(sql`exists (${asked})`, tables + joinedBy(where), sql`exists (${asked} offset 0)`);
}

/** Orders of joins grow exponentially: with hundreds of tables, planning takes seconds and gigabytes. */
const mostJoined = 6;

/** All must hold; no condition is true. What would be one table too many to join is asked row by row. */
export function all(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return raw('true');
  let tables = 0;
  const spelled = conditions.map((condition) => {
    if (tables + joinedBy(condition) > mostJoined) return apart(condition);
    tables += joinedBy(condition);
    return condition;
  });
  const and = raw(' and ');
  return new Joinable(join(spelled, and), tables, join(conditions.map(apart), and));
}

/** The database joins none of these, and would plan each in two ways: with several tables, that takes twice as long. */
const mostInTwoWays = 2;

/** One must hold. */
export const any = (conditions: readonly Sql[]): Sql =>
  join(
    conditions.map((condition) => (joinedBy(condition) > mostInTwoWays ? apart(condition) : condition)),
    raw(' or '),
  );

export const not = (condition: Sql): Sql =>
  new Joinable(sql`not ${condition}`, joinedBy(condition), sql`not ${apart(condition)}`);

export const inParentheses = (condition: Sql): Sql =>
  new Joinable(sql`(${condition})`, joinedBy(condition), sql`(${apart(condition)})`);

/** The same text and values in few pieces, for what is put into many statements. It tells no columns any more. */
export function flat(from: Sql): Sql {
  const chunks: Chunk[] = [];
  let texts: string[] = [];
  const visit = (part: Sql): void => {
    for (const chunk of part.chunks) {
      if (typeof chunk === 'string') texts.push(chunk);
      else if (chunk instanceof Sql) visit(chunk);
      else {
        chunks.push(texts.join(''), chunk);
        texts = [];
      }
    }
  };
  visit(from);
  // What is joined is one text; what is added up piece by piece refers to all of them.
  return new Sql([...chunks, texts.join('')]);
}

/** Numbers the placeholders. The same late value has one placeholder however often it is used. */
export function statement(from: Sql): Statement {
  const writing: Writing = { text: '', parameters: [], late: new Map() };
  write(from, writing);
  return { text: writing.text, parameters: writing.parameters };
}

/** What stands behind another statement: its own text, and the parameters of both. */
export function continued(from: Sql, { parameters }: Statement): Statement {
  const writing: Writing = { text: '', parameters: [...parameters], late: new Map() };
  for (const [at, parameter] of parameters.entries()) {
    if (parameter.kind === 'late') writing.late.set(keyOf(parameter), at + 1);
  }
  write(from, writing);
  return { text: writing.text, parameters: writing.parameters };
}

interface Writing {
  text: string;
  parameters: Parameter[];
  /** The number of each, by its key. */
  late: Map<string, number>;
}

function write(from: Sql, to: Writing): void {
  for (const chunk of from.chunks) {
    if (typeof chunk === 'string') to.text += chunk;
    else if (chunk instanceof Sql) write(chunk, to);
    else to.text += `$${numberOf(chunk, to)}::${chunk.type}`;
  }
}

function numberOf(chunk: { value: Bound<unknown> } | Late, { parameters, late }: Writing): number {
  if (!('late' in chunk)) return parameters.push({ kind: 'value', ...Bound.parameterOf(chunk.value) });
  const { late: which, place } = chunk;
  const key = keyOf(chunk);
  const number = late.get(key) ?? parameters.push({ kind: 'late', late: which, place });
  late.set(key, number);
  return number;
}

const keyOf = ({ late, place }: Late): string => (place === undefined ? late : `${late} ${place}`);

/** A piece of text: constant text of ours, or an expression that gives text (or a number) and is never null. */
export type Piece = string | Sql;

/** Glues pieces of text to one expression, constants merged so that the database joins as few as possible. */
export function glue(pieces: readonly Piece[]): Sql {
  const texts: Sql[][] = [];
  let text = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece;
      continue;
    }
    // Each text begins with a constant, or `||` would not know that text is meant.
    if (text !== '' || texts.length === 0 || texts.at(-1)!.length > mostInRow) texts.push([constant(text)]);
    text = '';
    texts.at(-1)!.push(piece);
  }
  if (text !== '' || texts.length === 0) texts.push([constant(text)]);
  const [only] = texts;
  if (texts.length === 1 && only!.length === 1) return only![0]!;
  return sql`(${halves(texts.map((parts) => join(parts, raw(' || '))))})`;
}

/** What stands in a row is copied once for each that follows. */
const mostInRow = 4;

/** A long text among them is copied as often as there are levels, not once for each that follows. */
function halves(texts: readonly Sql[]): Sql {
  if (texts.length === 1) return texts[0]!;
  const half = Math.ceil(texts.length / 2);
  return sql`(${halves(texts.slice(0, half))}) || (${halves(texts.slice(half))})`;
}

/** As dates are stored in custom fields, of days that every month has. */
const storedForm = raw(
  `'^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$'`,
);

/** A text as a moment, null where it is none: what the cast certainly takes need not be looked at more closely. */
export const momentOf = (text: Sql): Sql =>
  sql`(case when ${text} collate "C" ~ ${storedForm} then (${text})::timestamptz else moment_of(${text}) end)`;

/** When a local day begins; not at midnight where clocks skip that. */
export const startOfDay = (day: Sql): Sql => sql`local_instant((${day})::timestamp)`;

/**
 * Whether what ends then is over. An end means the whole of its second, and the start of a local day the whole of that
 * day. Null without an end. What ended two days ago is over whatever day it was, so that the start of this one is not
 * worked out for it.
 */
export const isOver = (end: Sql): Sql =>
  sql`(${end} < date_trunc('second', now()) and (${end} < now() - interval '2 days' or ${end} <> ${startOfDay(sql`now()::date`)}))`;

/** Text that compares as text columns do. */
export const unicode = (text: Sql): Sql => sql`((${text}) collate "und-x-icu")`;

/** Text as it is compared without regard to case. */
export const folded = (text: Sql): Sql => sql`lower(${text} collate "und-x-icu")`;

/** Folded text of which parts are compared: a sigma is folded in another way at the end of a word, and only there. */
export const ofParts = (text: Sql): Sql => sql`translate(${text}, 'ς', 'σ')`;

export const foldedPart = (text: Sql): Sql => ofParts(folded(text));
