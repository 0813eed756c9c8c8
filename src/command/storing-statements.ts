/** Texts of the statements that store rows of one shape: one row by its values, several by an array for each column. */
import type { ResourceType } from '../model/model.js';
import type { TableRecord } from './change.js';
import { sequenceOf } from './new-ids.js';

export interface StoredColumn {
  name: string;
  /** PostgreSQL type of the value. */
  type: string;
  /** Takes the place of nothing in a new row; the database's own default is the same. */
  initial?: string | number | boolean;
  /** Values are merged into what is there: null takes a member away. */
  isMerged?: boolean;
}

interface RowShape {
  resource: ResourceType;
  columns: readonly StoredColumn[];
  /** Values are single ones; else arrays of those of all rows. */
  isOne: boolean;
  /** Nothing where changes of the table are not recorded. */
  record?: TableRecord;
  /** The rows are of several requests: the id of its own comes with each, behind its other values. */
  isShared?: boolean;
}

const idColumn: StoredColumn = { name: 'id', type: 'bigint' };
const requestColumn: StoredColumn = { name: 'id of request', type: 'text' };

/** Parameters are the ids, if they are known, and the columns in their order. */
export function insertText({ resource, columns, isOne, record, isShared }: RowShape, hasIds: boolean): string {
  const kind = discriminator(resource);
  const sent = [idColumn, ...columns];
  const requests = isShared ? [requestColumn] : [];
  const rows = hasIds
    ? sentRows([...sent, ...requests], isOne)
    : `select nextval('${sequenceOf(resource)}') as id, c.* from (${sentRows([...columns, ...requests], isOne)}) c`;
  const names = [...(kind ? [kind.name] : []), ...sent.map(({ name }) => name)].map(quoted).join(', ');
  const shown = [...(kind ? [kind.value] : []), ...sent.map(storedValue)].join(', ');
  const recording = record ? recordInserted(record, sent, kind, isShared) : '';
  return `with sent as materialized (${rows})${recording}
    insert into "${resource.table}" (${names}) select ${shown} from sent${isOne ? '' : ' order by ord'}`;
}

const storedValue = ({ name, isMerged }: StoredColumn): string =>
  isMerged ? `jsonb_strip_nulls(sent."${name}")` : `sent."${name}"`;

/** Parameters are the ids and the columns in their order. */
export function updateText({ resource, columns, isOne, record, isShared }: RowShape): string {
  const sent = [idColumn, ...columns, ...(isShared ? [requestColumn] : [])];
  const assigned = columns.map((column) => `"${column.name}" = ${updatedValue(column, 't')}`).join(', ');
  const recording = record ? recordUpdated(record, resource.table, columns, isShared) : '';
  return `with sent as materialized (${sentRows(sent, isOne)})${recording}
    update "${resource.table}" t set ${assigned} from sent where t.id = sent.id`;
}

const updatedValue = ({ name, isMerged }: StoredColumn, row: string): string =>
  isMerged ? `jsonb_strip_nulls(${row}."${name}" || sent."${name}")` : `sent."${name}"`;

function sentRows(columns: readonly StoredColumn[], isOne: boolean): string {
  const given = columns.map(({ type }, at) => `$${at + 1}::${type}${isOne ? '' : '[]'}`);
  const names = columns.map(({ name }) => quoted(name));
  if (isOne) return `select ${given.map((value, at) => `${value} as ${names[at]}`).join(', ')}`;
  return `select * from unnest(${given.join(', ')}) with ordinality as u(${names.join(', ')}, ord)`;
}

function recordInserted(
  record: TableRecord,
  sent: readonly StoredColumn[],
  kind: Discriminator | undefined,
  isShared = false,
): string {
  const present = new Set([...sent.map(({ name }) => name), ...(kind ? [kind.name] : [])]);
  const missing = record.mentioned
    .filter((name) => !present.has(name))
    .map((name) => `null::bigint as ${quoted(name)}`);
  const own = kind ? [`${kind.value} as ${quoted(kind.name)}`] : [];
  const row = `(select ${['sent.*', ...own, ...missing].join(', ')} from sent) n`;
  const columns = [...(kind ? [{ name: kind.name, type: 'int' }] : []), ...sent];
  const members = recordedOf(record, columns).map(({ name, isMerged }) => {
    const after = isMerged ? `jsonb_strip_nulls(n."${name}")` : `n."${name}"`;
    return `case when n."${name}" is not null then '"${name}":[null,' || to_json(${after})::text || ']' end`;
  });
  return recording(record.insert('n', isShared ? requestOf('n') : undefined), members, row, record);
}

const requestOf = (row: string): string => `${row}.${quoted(requestColumn.name)}`;

function recordUpdated(record: TableRecord, table: string, columns: readonly StoredColumn[], isShared = false): string {
  const sent = new Set(columns.map(({ name }) => name));
  const mentioned = record.mentioned.map((name) => `${sent.has(name) ? 'sent' : 'o'}.${quoted(name)}`);
  const rows = `sent join "${table}" o on o.id = sent.id cross join lateral (select ${mentioned.join(', ')}) n`;
  const members = recordedOf(record, columns).map((column) => {
    const { name } = column;
    const [before, after] = [`o."${name}"`, updatedValue(column, 'o')];
    return `case when ${before} is distinct from ${after} then '"${name}":[' || ${json(before)} || ',' || ${json(after)} || ']' end`;
  });
  return recording(record.update('n', 'o', isShared ? requestOf('sent') : undefined), members, rows, record);
}

const json = (value: string): string => `coalesce(to_json(${value})::text, 'null')`;

const recordedOf = ({ columns }: TableRecord, sent: readonly StoredColumn[]): StoredColumn[] =>
  sent.filter(({ name }) => columns.includes(name));

/** Marked as recorded also where there is nothing to record. */
function recording(values: readonly string[], members: readonly string[], rows: string, record: TableRecord): string {
  const text = members.length > 0 ? `array_to_string(array[${members.join(', ')}], ',')` : `''`;
  return `, record as (insert into change_record ${record.into}
      select ${values.join(', ')}, ('{' || c.members || '}')::jsonb
      from ${rows} cross join lateral (select ${text} as members offset 0) c
      where ${record.mark} is not null and c.members <> '')`;
}

const quoted = (name: string): string => `"${name}"`;

export interface Discriminator {
  name: string;
  value: string;
}

export function discriminator({ discriminator: declared }: ResourceType): Discriminator | undefined {
  const own = declared?.values?.[0];
  if (!declared || own === undefined) return undefined;
  return { name: declared.column, value: declared.type === 'int' ? String(Number(own)) : `'${own}'` };
}
