/** Fills in the totals of effort, time and progress from the bottom to the top, as the rules of writing keep them. */
import type { ClientBase } from 'pg';

export async function computeTotals(client: ClientBase): Promise<void> {
  for (const statement of [...fromRoles, ...fromTimes, ...fromItems]) await client.query(statement);
}

const finals = 'select id from entity_state where is_final';

const fromRoles = [
  // A story's effort per role is that of its tasks once they have any.
  `update role_effort r set effort = t.effort from (select g.user_story_id story, e.role_id, sum(e.effort) effort
     from role_effort e join general g on g.id = e.assignable_id where g.entity_type_id = 5 and g.delete_date is null group by 1, 2) t
   where r.assignable_id = t.story and r.role_id = t.role_id and t.effort > 0`,
  `update role_effort r set effort_completed = case when g.entity_state_id in (${finals}) then r.effort else 0 end,
     effort_to_do = case when g.entity_state_id in (${finals}) then 0 else r.effort end from general g where g.id = r.assignable_id`,
  `update general g set effort = r.effort, effort_completed = r.completed, effort_to_do = r.to_do
     from (select assignable_id, sum(effort) effort, sum(effort_completed) completed, sum(effort_to_do) to_do from role_effort group by 1) r
   where r.assignable_id = g.id`,
];

const fromTimes = [
  `update general g set time_spent = t.spent, time_remain = t.remain from (select assignable_id, sum(spent) spent,
     (array_agg(remain order by date desc, id desc))[1] remain from time where assignable_id is not null group by 1) t where t.assignable_id = g.id`,
  `update general s set time_spent = s.time_spent + t.spent, time_remain = s.time_remain + t.remain from (select user_story_id,
     sum(time_spent) spent, sum(time_remain) remain from general where entity_type_id = 5 and delete_date is null group by 1) t
   where t.user_story_id = s.id and s.entity_type_id = 4`,
];

const fromChildren = (parent: string, children: string, key: string): string =>
  `update general p set effort = c.effort, effort_completed = c.completed, effort_to_do = c.to_do, time_spent = c.spent, time_remain = c.remain
     from (select ${key} parent, sum(effort) effort, sum(effort_completed) completed, sum(effort_to_do) to_do, sum(time_spent) spent,
       sum(time_remain) remain from general where entity_type_id in (${children}) and delete_date is null group by 1) c
   where c.parent = p.id and p.entity_type_id = ${parent}`;

/** Stories, bugs and requests count; tasks are in their stories already. */
const spanned = (parent: string, key: string): string =>
  `update general p set effort = c.effort, effort_completed = c.completed, effort_to_do = c.to_do
     from (select ${key} parent, sum(effort) effort, sum(effort_completed) completed, sum(effort_to_do) to_do from general
       where entity_type_id in (4, 8, 17) and delete_date is null group by 1) c
   where c.parent = p.id and p.entity_type_id = ${parent}`;

const fromItems = [
  fromChildren('9', '4, 8', 'feature_id'),
  fromChildren('27', '9', 'epic_id'),
  fromChildren('31', '27', 'portfolio_epic_id'),
  spanned('2', 'release_id'),
  spanned('3', 'iteration_id'),
  spanned('24', 'team_iteration_id'),
  spanned('1', 'project_id'),
  `update general set progress = case when entity_state_id in (${finals}) then 1 when effort > 0 then effort_completed / effort else 0 end
   where entity_type_id in (1, 2, 3, 4, 5, 8, 9, 17, 24, 27, 31)`,
  `update simple_history h set effort = g.effort, effort_completed = g.effort_completed, effort_to_do = g.effort_to_do from general g where g.id = h.general_id`,
  `update full_history h set effort = g.effort, effort_completed = g.effort_completed, effort_to_do = g.effort_to_do from general g where g.id = h.general_id`,
  // The versions that these sums counted are nobody's business.
  `alter table general disable trigger general_version`,
  `update general set entity_version = 1`,
  `alter table general enable trigger general_version`,
];
