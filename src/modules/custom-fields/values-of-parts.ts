/**
 * What comes to another process otherwise than by a project of its own: what lies in a project that gets another one,
 * and the times of items that move. It keeps the values of fields that are defined there with the same type, too, as an
 * item does.
 */
import type { Change, Work } from '../../command/change.js';

interface Place {
  /** Those of the ids `$1` that are meant, of rows `t`. */
  of: string;
  table: 'general' | 'time';
  kind: string;
  project: string;
  /** The process of before, by the value of `$2` that belongs to the id. */
  before: (value: string) => string;
}

const projectOfItem = '(select a.project_id from general a where a.id = t.assignable_id)';
const projectOfTime = `coalesce(t.project_id, ${projectOfItem})`;
const time = { table: 'time', kind: '7' } as const;

const isProcess = (value: string): string => value;
const processOf = (project: string): string => `(select p.process_id from general p where p.id = ${project})`;

const inProjects: Place[] = [
  { of: 't.project_id', table: 'general', kind: 't.entity_type_id', project: 't.project_id', before: isProcess },
  { of: projectOfTime, project: projectOfTime, before: isProcess, ...time },
];
// Its times come to its project behind this.
const ofItems: Place[] = [{ of: 't.assignable_id', project: projectOfItem, before: processOf, ...time }];

export function valuesOfParts(changes: readonly Change[], work: Work): void {
  const written = changes.filter(({ isNew }) => !isNew);
  follow(
    inProjects,
    'process',
    written.filter(({ resource }) => resource.settings.lies === 'asProject'),
    work,
  );
  follow(
    ofItems,
    'project',
    written.filter(({ resource }) => resource.field('Times')),
    work,
  );
}

function follow(places: readonly Place[], moves: 'process' | 'project', changes: readonly Change[], work: Work): void {
  const moved = changes.filter(({ values }) => values[moves]);
  if (moved.length === 0) return;
  const from = moved.map(({ before }) => before![`${moves}_id`] ?? null);
  for (const place of places) work.send(respelling(place), [moved.map(({ id }) => id), from]);
}

/**
 * A value goes by the name and the type of its field; where the name is spelled otherwise, it does not take the place
 * of another.
 */
const respelling = ({ of, table, kind, project, before }: Place): string => `
  with held as materialized (
    select t.id, t.custom_values, ${kind} as kind, ${processOf(project)} as process,
      ${before(`(select u.before from unnest($1::bigint[], $2::bigint[]) as u(id, before) where u.id = ${of})`)} as before
    from "${table}" t where ${of} = any($1::bigint[]) and t.custom_values <> '{}' order by t.id for no key update of t),
  named as (
    select h.id, e.key, e.value, (select f.name from custom_field f
      where f.entity_type_id = h.kind and (f.process_id is null or f.process_id = h.process)
        and (f.name = e.key or lower(f.name) = lower(e.key) and not h.custom_values ? f.name)
        and exists (select from custom_field o where o.entity_type_id = h.kind and o.name = e.key
          and (o.process_id is null or o.process_id = h.before) and o.field_type = f.field_type) limit 1) as name
    from held h cross join lateral jsonb_each(h.custom_values) e)
  update "${table}" t set custom_values = n.custom_values
  from (select id, coalesce(jsonb_object_agg(name, value) filter (where name is not null), '{}') as custom_values
    from named group by id having bool_or(name is distinct from key)) n where t.id = n.id`;
