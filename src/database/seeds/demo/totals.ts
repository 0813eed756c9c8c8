/** Fills in the totals of effort, time and progress from the bottom to the top, as the rules of writing keep them. */
import type { ClientBase } from 'pg';

export async function computeTotals(client: ClientBase): Promise<void> {
  // The versions that these sums would count are nobody's business.
  await client.query('alter table general disable trigger general_version');
  for (const statement of [...roles, ...work, ...people, ...above, ...histories]) await client.query(statement);
  await client.query('alter table general enable trigger general_version');
}

const finals = '(select id from entity_state where is_final)';

const roles = [
  // A story's effort per role is that of its tasks once they have any.
  `update role_effort r set effort = t.effort from (select g.user_story_id story, e.role_id, sum(e.effort) effort
     from role_effort e join general g on g.id = e.assignable_id where g.entity_type_id = 5 and g.delete_date is null group by 1, 2) t
   where r.assignable_id = t.story and r.role_id = t.role_id and t.effort > 0`,
  // Time is kept on the item it was spent for; a story shows that of its tasks besides. What remains is what was said last.
  `create temp table spent on commit drop as
     with own as (
       select g.id, g.user_story_id, g.entity_type_id, t.role_id, sum(t.spent) spent,
         (array_agg(t.remain order by t.date desc, t.id desc))[1] remain
       from time t join general g on g.id = t.assignable_id where g.delete_date is null group by 1, 2, 3, 4)
     select id, role_id, sum(spent) spent, sum(remain) remain from (
       select id, role_id, spent, remain from own
       union all select user_story_id, role_id, spent, remain from own where entity_type_id = 5) parts group by 1, 2`,
  `update role_effort r set time_spent = s.spent, time_remain = s.remain from spent s
   where s.id = r.assignable_id and s.role_id = r.role_id`,
];

const work = [
  `update general g set effort = r.effort from (select assignable_id, sum(effort) effort from role_effort group by 1) r
   where r.assignable_id = g.id`,
  `update general g set time_spent = s.spent, time_remain = s.remain
     from (select id, sum(spent) spent, sum(remain) remain from spent group by 1) s where s.id = g.id`,
  `update general set progress = case when entity_state_id in ${finals} then 1
     when time_spent + time_remain > 0 then time_spent / (time_spent + time_remain) else 0 end
   where entity_type_id in (4, 5, 8, 17)`,
  `update role_effort r set effort_completed = round(r.effort * g.progress, 4),
     effort_to_do = r.effort - round(r.effort * g.progress, 4) from general g where g.id = r.assignable_id`,
  `update general g set effort_completed = r.completed, effort_to_do = r.to_do
     from (select assignable_id, sum(effort_completed) completed, sum(effort_to_do) to_do from role_effort group by 1) r
   where r.assignable_id = g.id`,
];

/** Those who share a role on an item share its effort. */
const people = [
  `insert into assigned_effort (assignable_id, role_id, general_user_id, initial_estimate, effort, effort_completed,
     effort_to_do, time_spent, time_remain)
   select r.assignable_id, r.role_id, a.general_user_id, r.initial_estimate / n, r.effort / n, r.effort_completed / n,
     r.effort_to_do / n, r.time_spent / n, r.time_remain / n
   from role_effort r join (select *, count(*) over (partition by assignable_id, role_id) n from assignment) a
     on a.assignable_id = r.assignable_id and a.role_id = r.role_id`,
];

const summed = ['effort', 'effort_completed', 'effort_to_do', 'time_spent', 'time_remain'];

/** `columns` of the parents are the sums of their children's; a parent without children keeps its zeros. */
const sums = (parent: number, children: string, key: string, columns = summed): string =>
  `update general p set ${columns.map((column) => `${column} = c.${column}`).join(', ')}
     from (select ${key} parent, ${columns.map((column) => `sum(${column}) ${column}`).join(', ')} from general
       where entity_type_id in (${children}) and delete_date is null group by 1) c
   where c.parent = p.id and p.entity_type_id = ${parent}`;

/** Stories, bugs and requests count; tasks are in their stories already. Spans and projects have no times of their own. */
const spanned = (parent: number, key: string): string => sums(parent, '4, 8, 17', key, summed.slice(0, 3));

const above = [
  sums(9, '4, 8', 'feature_id'),
  sums(27, '9', 'epic_id'),
  sums(31, '27', 'portfolio_epic_id'),
  spanned(2, 'release_id'),
  spanned(3, 'iteration_id'),
  spanned(24, 'team_iteration_id'),
  spanned(1, 'project_id'),
  `update general set progress = case when entity_state_id in ${finals} then 1 when effort > 0 then effort_completed / effort else 0 end
   where entity_type_id in (1, 2, 3, 9, 13, 14, 16, 24, 27, 31)`,
];

/** What holds now has today's sums; nothing was completed before. */
const histories = [
  `update full_history h set effort = g.effort,
     effort_completed = case when h.date_to > '9999-12-30' then g.effort_completed else 0 end,
     effort_to_do = case when h.date_to > '9999-12-30' then g.effort_to_do else g.effort end,
     time_spent = case when h.date_to > '9999-12-30' then g.time_spent else 0 end,
     time_remain = case when h.date_to > '9999-12-30' then g.time_remain else 0 end
   from general g where g.id = h.general_id`,
  `update simple_history s set effort = h.effort, effort_completed = h.effort_completed, effort_to_do = h.effort_to_do
   from full_history h where h.general_id = s.general_id and h.date = s.date and h.entity_state_id = s.entity_state_id`,
  // Every change counted once.
  `update general g set entity_version = h.n from (select general_id, count(*) n from full_history group by 1) h where h.general_id = g.id`,
];
