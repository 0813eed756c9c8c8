/**
 * Values are kept by the name of their definition: they follow when it is renamed, and go when it goes. Chosen options
 * are spelled as the definition has them.
 */
import type { TableRecord, Work } from '../../command/change.js';

/** A definition as its values know it. Null in place of the new name takes them away. */
export interface Renaming {
  from: string;
  to: string | null;
  process: number | null;
  kind: number;
}

type Rows = Work['rows'];

/**
 * Of a renaming the record of changes has the definition alone: another name is no other value. Values that go are
 * recorded.
 */
export async function renameValues(
  renamings: readonly Renaming[],
  { rows, recordOf }: Pick<Work, 'rows' | 'recordOf'>,
): Promise<void> {
  await unnoticed(rows, async (place) => {
    const here = renamings.filter(({ kind, to }) => place.holds(kind) && (place !== past || to !== null));
    if (here.length === 0) return;
    const columns = [
      here.map(({ from }) => from),
      here.map(({ to }) => to),
      here.map(({ process }) => process),
      here.map(({ kind }) => kind),
    ];
    await inBatches(renaming(place, recordOf(place.table)), columns, rows);
  });
}

/** A list whose options are other ones by now, by its present name. */
export interface Options extends Omit<Renaming, 'from' | 'to'> {
  name: string;
  options: readonly string[];
}

/** What is compared with an option is found by its spelling, so values follow it in whatever case they have it. */
export async function respellOptions(lists: readonly Options[], rows: Rows): Promise<void> {
  if (lists.length === 0) return;
  await unnoticed(rows, async (place) => {
    const here = lists.filter(({ kind }) => place.holds(kind));
    if (here.length === 0) return;
    const options = here.flatMap(({ options }, at) => options.map((option) => ({ at: at + 1, option })));
    const columns = [
      here.map(({ name }) => name),
      here.map(({ process }) => process),
      here.map(({ kind }) => kind),
      options.map(({ at }) => at),
      options.map(({ option }) => option),
    ];
    await inBatches(respelling(place), columns, rows);
  });
}

/** Changes stored values without a line in the record of changes. */
async function unnoticed(rows: Rows, change: (place: ValuePlace) => Promise<void>): Promise<void> {
  await rows("select set_config('worktrack.history', 'off', true)");
  for (const place of [...valuePlaces, past]) await change(place);
  await rows("select set_config('worktrack.history', '', true)");
}

/** Each statement ends within its time-out, however many rows there are. */
async function inBatches(text: string, columns: readonly unknown[], rows: Rows): Promise<void> {
  for (let last: number | null = 0; last !== null; ) {
    const [batch]: { last: number | null }[] = await rows(text, [...columns, last]);
    last = batch!.last;
  }
}

/** Whether any entity, deleted ones included, has a value for it. */
export async function haveValues(definitions: readonly Omit<Renaming, 'to'>[], rows: Rows): Promise<boolean[]> {
  const usage = await rows<{ used: boolean }>(used, [
    definitions.map(({ from }) => from),
    definitions.map(({ process }) => process),
    definitions.map(({ kind }) => kind),
  ]);
  return usage.map((row) => row.used);
}

/** A table that has values. */
export interface ValuePlace {
  holds(kind: number): boolean;
  table: string;
  /** The kind of a row `t`, and the process its custom fields are defined in. */
  kind: string;
  process: string;
  /** The name `r.old` stands in a row. */
  has: string;
  /** What else follows, given which names are those of a row. */
  also?: (matches: string) => string;
  /** Which rows are looked at. */
  only: string;
}

const hasValue = { has: 't.custom_values ? r.old', only: "t.custom_values <> '{}'" };

const processOfProject = (project: string): string => `(select p.process_id from general p where p.id = ${project})`;

export const valuePlaces: readonly ValuePlace[] = [
  {
    holds: (kind) => ![6, 7, 18].includes(kind),
    table: 'general',
    ...hasValue,
    kind: 't.entity_type_id',
    process: `case when t.entity_type_id = 1 then t.process_id else ${processOfProject('t.project_id')} end`,
  },
  {
    holds: (kind) => kind === 7,
    table: 'time',
    ...hasValue,
    kind: '7',
    process: processOfProject(
      'coalesce(t.project_id, (select a.project_id from general a where a.id = t.assignable_id))',
    ),
  },
  {
    holds: (kind) => kind === 6 || kind === 18,
    table: 'general_user',
    ...hasValue,
    kind: `case t.kind when 'User' then 6 when 'Requester' then 18 end`,
    process: 'null::bigint',
  },
];

/** What a field was is not forgotten when its definition goes: nothing of the past is taken away. */
const past: ValuePlace = {
  holds: valuePlaces[0]!.holds,
  table: 'full_history',
  kind: 't.entity_type_id',
  process: processOfProject('t.project_id'),
  has: '(t.custom_values ? r.old or r.old = any(t.changed_custom_values))',
  also: (matching) => `, changed_custom_values = (select array_agg(coalesce(r.new, c))
      from unnest(t.changed_custom_values) c left join renamed r on r.old = c and ${matching})`,
  only: '(t.custom_values is not null or t.changed_custom_values is not null)',
};

const matches = ({ kind, process }: ValuePlace): string =>
  `r.kind = ${kind} and (r.process is null or r.process = ${process})`;

const batchSize = 2000;

/** The next rows to look at, by their ids; one statement tells the last one to the next. */
const looked = ({ table }: ValuePlace, after: string): string =>
  `looked as materialized (select max(id) as last
    from (select id from "${table}" where id > ${after} order by id limit ${batchSize}) ids)`;

const isLooked = (after: string): string => `t.id > ${after} and t.id <= (select last from looked)`;

/** They are locked as they are read, so that what is recorded of them is what they lose. */
const renaming = (place: ValuePlace, record: TableRecord | undefined): string => `
  with renamed as (select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as r(old, new, process, kind)),
  ${looked(place, '$5')},
  changed as materialized (
    select ${[...new Set(['id', ...(record?.mentioned ?? [])])].map((name) => `t."${name}"`).join(', ')}, t.custom_values as was,
      (select coalesce(jsonb_object_agg(coalesce(r.new, e.key), e.value) filter (where r.old is null or r.new is not null), '{}')
       from jsonb_each(t.custom_values) e left join renamed r on r.old = e.key and ${matches(place)}) as custom_values,
      exists (select from renamed r where r.new is null and t.custom_values ? r.old and ${matches(place)}) as is_less
    from "${place.table}" t
    where ${place.only} and ${place.kind} = any($4::bigint[])
      and exists (select 1 from renamed r where ${place.has} and ${matches(place)}) and ${isLooked('$5')}
    order by t.id for no key update of t),
  ${record ? recording(record) : ''}
  updated as (
    update "${place.table}" t set custom_values = n.custom_values ${place.also?.(matches(place)) ?? ''}
    from changed n where t.id = n.id)
  select last from looked`;

const recording = (record: TableRecord): string => `record as (insert into change_record ${record.into}
    select ${record.update('n', 'n').join(', ')}, jsonb_build_object('custom_values', jsonb_build_array(n.was, n.custom_values))
    from changed n where n.is_less order by n.id),`;

/** However many options there are, each value is looked up once. One of two that differ in case alone is itself. */
const respelling = (place: ValuePlace): string => `
  with lists as (select * from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as r(name, process, kind, at)),
  options as materialized (
    select o.*, lower(option collate "und-x-icu") as folded
    from unnest($4::bigint[], $5::text[]) with ordinality as o(at, option, n)),
  ${looked(place, '$6')},
  held as materialized (
    select t.id, r.at, r.name, t.custom_values ->> r.name as value
    from (select t.id, t.custom_values, ${place.kind} as kind, ${place.process} as process from "${place.table}" t
      where ${isLooked('$6')} and ${place.only} and ${place.kind} = any($3::bigint[]) and t.custom_values ?| $1 offset 0) t
    join lists r on r.kind = t.kind and (r.process is null or r.process = t.process) and t.custom_values ? r.name),
  elsewise as materialized (
    select h.*, lower(h.value collate "und-x-icu") as folded from held h
    where not exists (select from options o where o.at = h.at and o.option = h.value)),
  changed as materialized (
    select e.id, jsonb_object_agg(e.name, o.option) as respelled
    from elsewise e join (select distinct on (at, folded) * from options order by at, folded, n) o using (at, folded)
    group by e.id),
  locked as materialized (
    select t.id, n.respelled from "${place.table}" t join changed n using (id) order by t.id for no key update of t),
  updated as (
    update "${place.table}" t set custom_values = t.custom_values || n.respelled from locked n where t.id = n.id)
  select last from looked`;

const used = `select ${valuePlaces
  .map((place) => `exists (select 1 from "${place.table}" t where t.custom_values ? r.name and ${matches(place)})`)
  .join(' or ')} as used
  from unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as r(name, process, kind, n) order by r.n`;
