/** Which kinds have totals, what they are made of, and the order in which they are summed up and locked. */

export const numbers = ['effort', 'effort_completed', 'effort_to_do', 'time_spent', 'time_remain'];

export interface Level {
  name: string;
  kinds: number[];
  /** That `c` is a part of `g`; nothing where a kind has no parts. */
  part?: string;
}

// Conditions to be looked at, never to be searched by. Without statistics PostgreSQL takes "all live tasks" for as few as "the
// tasks of this story", and would go through all of them for each story; no index knows these expressions.
export const kindOf = (row: string, kinds: readonly number[]): string =>
  `${row}.entity_type_id + 0 in (${kinds.join(', ')})`;
export const isLive = (row: string): string => `num_nulls(${row}.delete_date) = 1`;

/** From the bottom to the top: who locks in this order, by id within, waits for nobody who waits for him. */
export const itemLevels: Level[] = [
  { name: 'tasks', kinds: [5] },
  // Stories, bugs, test plans, their runs, and requests.
  { name: 'work', kinds: [4, 8, 13, 14, 17], part: `c.user_story_id = g.id and ${kindOf('c', [5])}` },
  { name: 'features', kinds: [9], part: `c.feature_id = g.id and ${kindOf('c', [4, 8])}` },
  { name: 'epics', kinds: [27], part: `c.epic_id = g.id and ${kindOf('c', [9])}` },
  {
    name: 'portfolio_epics',
    kinds: [31],
    part: `c.portfolio_epic_id = g.id and (${kindOf('c', [27])} or ${kindOf('c', [9])} and c.epic_id is null)`,
  },
];

export const levelOfFeatures = 2;

/** Iterations and team iterations; releases; projects. */
export const spanLevels = [
  { kinds: [3, 24], columns: ['iteration_id', 'team_iteration_id'] },
  { kinds: [2], columns: ['release_id'] },
  { kinds: [1], columns: ['project_id'] },
];

export const firstSpanLevel = itemLevels.length;

/** What counts in a span: tasks are in their stories already. */
export const planned = [4, 8, 17];

const levels = [...itemLevels, ...spanLevels];

export const levelOf = (row: string): string =>
  `case ${row}.entity_type_id ${levels
    .flatMap(({ kinds }, level) => kinds.map((kind) => `when ${kind} then ${level}`))
    .join(' ')} end`;

/** A bug lies in its feature; the story it names it only belongs to. */
export const parentOf = (row: string): string =>
  `case ${row}.entity_type_id when 5 then ${row}.user_story_id when 4 then ${row}.feature_id when 8 then ${row}.feature_id
     when 9 then coalesce(${row}.epic_id, ${row}.portfolio_epic_id) when 27 then ${row}.portfolio_epic_id end`;

export const levelOfParent = (row: string): string =>
  `case ${row}.entity_type_id when 5 then 1 when 4 then 2 when 8 then 2
     when 9 then case when ${row}.epic_id is null then 4 else 3 end when 27 then 4 end`;

/** The spans that `row` lies in, one to a row. */
export const spansOf = (row: string): string =>
  `(values ${spanLevels
    .flatMap(({ columns }, at) => columns.map((column) => `(${firstSpanLevel + at}, ${row}.${column})`))
    .join(', ')}) s(level, span)`;

/** Made for many rows: the final states are read once. */
export const isFinal = (row: string): string =>
  `coalesce(${row}.entity_state_id in (select e.id from entity_state e where e.is_final), false)`;

export const of = (row: string, columns: readonly string[]): string => columns.map((it) => `${row}.${it}`).join(', ');
