/** What the triggers on work items do to record their history, a statement at a time. Part of the migrations that make them. */

// Story, task, bug, feature, impediment, request, epic, portfolio epic. Written out: a migration must not follow the code.
const historic = '(4, 5, 8, 9, 16, 17, 27, 31)';

/** What both histories keep of an item. */
const kept = [
  'entity_type_id',
  'effort',
  'effort_completed',
  'effort_to_do',
  'project_id',
  'entity_state_id',
  'release_id',
  'iteration_id',
];

/** What the full history keeps besides. */
const plainly = [
  ...kept,
  'name',
  'description',
  'start_date',
  'end_date',
  'time_spent',
  'time_remain',
  'priority_id',
  'team_iteration_id',
  'owner_id',
];

/** Columns whose change has a flag in the full history. */
const flagged = [
  'name',
  'description',
  'start_date',
  'end_date',
  'effort',
  'project_id',
  'entity_state_id',
  'priority_id',
  'release_id',
  'iteration_id',
  'team_iteration_id',
  'owner_id',
];

const flagOf = (column: string): string => `is_changed_${column.replace(/_id$/, '')}`;
const of = (alias: string, columns: readonly string[]): string => columns.map((it) => `${alias}.${it}`).join(', ');
const differs = (columns: readonly string[]): string => `(${of('o', columns)}) is distinct from (${of('n', columns)})`;
const assigned = (columns: readonly string[]): string => columns.map((it) => `${it} = n.${it}`).join(', ');

// In the zone of the session, so that it reads as year 9999 in the zone of the service, and not as year 10000.
const forEver = `timestamptz '9999-12-31 23:59:59'`;
// Whatever that zone was when the record was written.
export const isOpen = `date_to > timestamptz '9999-12-30 00:00:00+00'`;

/** Loading large or past data writes its own history, or none. */
const unlessOff = `if current_setting('worktrack.history', true) = 'off' then return null; end if;`;

const routine = (name: string, body: string): string =>
  `create or replace function ${name}() returns trigger language plpgsql as $$ begin ${unlessOff} ${body} return null; end $$`;

export interface Keeps {
  customValues: boolean;
  /** Whether totals that move with parts in other projects alone are left out: they make no record. */
  ownOnly?: boolean;
  /** Whether moves from one place out of sight of the item's project to another one are left out: they make no record. */
  seenPlaces?: boolean;
  /** Whether items that only follow their parts are told apart first: most of what is settled. */
  followersApart?: boolean;
  /** An array of the items that have efforts or times of their own that changed; else it is in the notes of the first migrations. */
  settled?: string;
}

const fullOf = ({ customValues }: Keeps): string[] => (customValues ? [...plainly, 'custom_values'] : plainly);

export function recordAdded(keeps: Keeps): string {
  const full = fullOf(keeps);
  return routine(
    'record_added',
    `insert into simple_history (general_id, date, modifier_id, ${kept.join(', ')})
     select id, now(), last_editor_id, ${kept.join(', ')} from fresh where entity_type_id in ${historic};
   insert into full_history (general_id, source_entity_id, date, date_to, modification, modifier_id, ${full.join(', ')})
     select id, id, now(), ${forEver}, 'Add', last_editor_id, ${full.join(', ')} from fresh where entity_type_id in ${historic};`,
  );
}

const changes = (columns: readonly string[], isChange = differs): string =>
  `from stale o join fresh n on n.id = o.id where n.entity_type_id in ${historic} and ${isChange(columns)}`;

/** What may lie in another project than the item. Moves of the item between projects are seen by who sees the item. */
const places = ['release_id', 'iteration_id'];

export const isPlaceOf = `create function is_place_of(place int, project int) returns boolean language sql stable as $$
    select exists (select from general p where p.id = place and (p.project_id = project
      or exists (select from release_project r where r.release_id = place and r.project_id = project)))
  $$`;

const isSeen = (place: string): string => `(o.${place} is distinct from n.${place}
  and (is_place_of(o.${place}, o.project_id) or is_place_of(n.${place}, n.project_id)))`;

/** To who sees the project of the item. */
const differsInSight = (columns: readonly string[]): string =>
  `(${[differs(columns.filter((it) => !places.includes(it))), ...places.map(isSeen)].join(' or ')})`;

const noted = ['entity_state_id', 'effort', 'release_id', 'iteration_id'];

// Totals are summed up after the change that moved them, in the same transaction: one moment has one record.
const thisMoment = 'h.date = now()::timestamptz(3)';

const partOf = ['user_story_id', 'feature_id', 'epic_id', 'portfolio_epic_id'];
const parts = partOf.map(
  (column) => `select c.id from general c where c.${column} = n.id and c.project_id = n.project_id`,
);

/**
 * Of the items whose totals are settled: notes of the transaction name those that have efforts or times of their own that changed; parts in
 * the project of the item, which everybody sees who sees that, have a record of this moment.
 */
const ownWork = ({ settled }: Keeps): string => `select n.id from fresh n
    where ${settled ? `n.id in (select unnest(${settled}))` : `n.id in (select unnest(u.ids) from unsettled u where u.xid = pg_current_xact_id() and u.claim = 'own')`}
      or exists (select from (${parts.join(' union all ')}) p
        where exists (select from simple_history h where h.general_id = p.id and ${thisMoment}))`;

/** What one person changes within five minutes is one record, except changes of state; deletion always stands alone. */
const joins = `h.modification <> 'Delete' and o.delete_date is not distinct from n.delete_date and (${thisMoment}
  or h.date > now() - interval '5 minutes' and h.modifier_id is not distinct from n.last_editor_id
    and o.entity_state_id is not distinct from n.entity_state_id)`;

const flags = flagged.map(flagOf);
const raised = flagged.map((it) => `o.${it} is distinct from n.${it}`);
const flagsKept = flagged.map(
  (it, at) => `${flagOf(it)} = h.${flagOf(it)} or h.modification = 'Update' and ${raised[at]}`,
);

/** The names of the custom fields whose values differ. */
const changedNames = `array(select key from jsonb_each(o.custom_values) a full join jsonb_each(n.custom_values) b using (key)
       where a.value is distinct from b.value)`;
const areChanged = 'o.custom_values is distinct from n.custom_values';
const namesKept = `changed_custom_values = case when h.modification = 'Update' and ${areChanged}
       then array(select distinct unnest(h.changed_custom_values || ${changedNames})) else h.changed_custom_values end`;

const totals = ['effort', 'effort_completed', 'effort_to_do', 'time_spent', 'time_remain'];

/** The record that still holds shows what they are by now, and nothing of when they moved. */
const follow = (
  columns: readonly string[],
): string => `update full_history h set ${assigned(columns)} ${changes(columns)}
     and h.general_id = n.id and h.${isOpen}`;

const followSimply = `update simple_history h set modifier_id = n.last_editor_id, ${assigned(kept)} ${changes(kept)}
     and h.general_id = n.id and ${thisMoment}`;

/** What is left to do where no item has efforts or times of its own that changed. */
const followers = [followSimply, follow(totals)];

const followParts = (own: string): string => `${follow(totals)} and n.id <> all(${own})`;

// A transaction that began earlier may write later: a record never starts before the one it follows.
/** `ids` is an array of the items that get records; all do without it. */
function recordChanges(keeps: Keeps, ids?: string): string[] {
  const full = fullOf(keeps);
  const remembered = [...full, 'delete_date'];
  const recorded = keeps.seenPlaces ? differsInSight : differs;
  const own = ids ? `and n.id = any(${ids}) ` : '';
  const [marks, marked, markedBefore] = keeps.customValues
    ? [
        [...flags, 'changed_custom_values'],
        [...raised, `case when ${areChanged} then ${changedNames} end`],
        [...flagsKept, namesKept],
      ]
    : [flags, raised, flagsKept];
  return [
    followSimply,
    `insert into simple_history (general_id, date, modifier_id, ${kept.join(', ')})
     select n.id, now(), n.last_editor_id, ${of('n', kept)} ${changes(noted, recorded)}
       ${own}and not exists (select 1 from simple_history h where h.general_id = n.id and ${thisMoment})`,
    `update full_history h set ${assigned(full)}, modifier_id = n.last_editor_id, ${markedBefore.join(', ')}
     ${changes(remembered, recorded)} ${own}and h.general_id = n.id and h.${isOpen} and ${joins}`,
    `update full_history h set date_to = greatest(h.date, now())
     ${changes(remembered, recorded)} ${own}and h.general_id = n.id and h.${isOpen} and not (${joins})`,
    ...(ids ? [followParts(ids)] : []),
    ...(keeps.seenPlaces ? [follow(places)] : []),
    `insert into full_history (general_id, source_entity_id, date, date_to, modification, modifier_id, ${full.join(', ')}, ${marks.join(', ')})
     select n.id, n.id, greatest(now(), (select max(h.date) from full_history h where h.general_id = n.id)), ${forEver},
       case when o.delete_date is null and n.delete_date is not null then 'Delete' else 'Update' end,
       n.last_editor_id, ${of('n', full)}, ${marked.join(', ')} ${changes(remembered, recorded)}
       ${own}and not exists (select 1 from full_history h where h.general_id = n.id and h.${isOpen})`,
  ];
}

// A session keeps the plan of its first write, a few rows mostly, whose nested loops a thousand rows would suffer from:
// large statements are planned for themselves.
export function recordChanged(keeps: Keeps): string {
  const all = plannedByLength(keeps, recordChanges(keeps), recordChanges(keeps));
  if (!keeps.ownOnly) return routine('record_changed', all);
  const own = plannedByLength(keeps, recordChanges(keeps, '$1'), recordChanges(keeps, 'own'), ' using own');
  const settling = keeps.followersApart
    ? `if own = '{}' then ${plannedByLength(keeps, followers, followers)} else ${own} end if;`
    : own;
  return routine(
    'record_changed',
    `if coalesce(current_setting('worktrack.totals', true), '') <> 'settling' then ${all}
   else
     declare own int[] := array(${ownWork(keeps)});
     begin ${settling} end;
   end if;`,
  );
}

const plannedByLength = (keeps: Keeps, many: string[], few: string[], using = ''): string =>
  `if exists (select 1 from fresh offset 20) then
     ${many.map((statement) => `execute $q$${statement}$q$${using};`).join('\n')}
   elsif exists (select 1 ${changes([...fullOf(keeps), 'delete_date'])}) then
     ${few.map((statement) => `${statement};`).join('\n')}
   end if;`;
