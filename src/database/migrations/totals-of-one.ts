/**
 * The totals of one task, and of one item of work without tasks, come from its own efforts and times alone: these are
 * read by one small statement, and what follows is stored together with all that is above.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { changeFunctions } from './kind-migration.js';

export class TotalsOfOne1700000000222 implements MigrationInterface {
  name = 'TotalsOfOne1700000000222';

  async up(runner: QueryRunner): Promise<void> {
    await changeFunctions(runner, following, (definition) => {
      const [before, summing, after] = split(definition);
      const indented = summing.replace(/^(?=.)/gm, '  ');
      return `${before.replace(declared, `${declared}\n${variables}`)}${alone}${indented}    end if;\n${after}`;
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await changeFunctions(runner, following, (definition) => {
      const [before, summing, after] = split(definition.replace(alone, '').replace(`\n${variables}`, ''));
      return `${before}${summing.replace(/^ {2}/gm, '')}${after.replace('    end if;\n', '')}`;
    });
  }
}

const following = `proname = 'follow_totals'`;
const declared = '    one record;';
const variables = `    is_alone boolean;
    item_progress numeric;`;

/** What is before the item is summed up from all that it may have, that, and what follows. */
function split(definition: string): [before: string, summing: string, after: string] {
  const from = definition.search(/^ +select array_agg\(r\.role_id\), array_agg\(r\.effort\)/m);
  const last = 'if is_other then return; end if;\n';
  const to = definition.indexOf(last) + last.length;
  return [definition.slice(0, from), definition.slice(from, to), definition.slice(to)];
}

/** An effort that is not the item's own, or not that of its roles, is left to what sums it up from all. */
const alone = `    level := kind_level(part.entity_type_id);
    is_alone := level = 0;
    if level = 1 then
      is_alone := not exists (
        select from general c
        where c.user_story_id = item and c.entity_type_id + 0 in (5) and num_nulls(c.delete_date) = 1);
    end if;
    if is_alone then
      is_finished := coalesce((select e.is_final from entity_state e where e.id = part.entity_state_id), false);
      -- By role: "id" is that of a stored row, "completed" null for times of a role without one.
      select coalesce(sum(r.effort), 0) as effort, coalesce(bool_or(r.effort <> r.own_effort), false) as is_other,
          coalesce(sum(r.completed), 0) as item_completed, sum(r.spent) as item_spent, sum(r.remain) as item_remain,
          sum(least(r.own_effort, r.own_completed)) filter (where r.own_completed is not null) as done,
          array_agg(r.id) filter (where r.differs) as ids, array_agg(r.role_id) filter (where r.differs) as roles,
          array_agg(r.completed) filter (where r.differs) as completed,
          array_agg(r.spent) filter (where r.differs) as spent,
          array_agg(r.remain) filter (where r.differs) as remain,
          array_agg(r.completed - r.effort_completed) filter (where r.differs) as more_completed,
          array_agg(r.spent - r.time_spent) filter (where r.differs) as more_spent,
          array_agg(r.remain - r.time_remain) filter (where r.differs) as more_remain
        into one
        from (
          select c.*, c.id is not null and (c.effort_completed, c.effort_to_do, c.time_spent, c.time_remain)
              is distinct from (c.completed, c.effort - c.completed, c.spent, c.remain) as differs
          from (
            select s.*, case
                when is_finished then s.own_effort
                when s.own_completed is not null then least(s.own_effort, s.own_completed)
                when s.spent > 0 then
                  least(s.own_effort, round(s.own_effort * round(s.spent / (s.spent + s.remain), 4), 4))
                when s.id is not null then 0 end as completed
            from (
              select e.*, coalesce(t.spent, 0) as spent,
                coalesce(t.remain, case when is_finished or part.units is distinct from 'h' then 0
                  else e.own_effort end) as remain
              from (select * from role_effort where assignable_id = item) e full join (
                select h.role_id, sum(h.spent) as spent,
                  (array_agg(h.remain order by h.date desc nulls last, h.id desc))[1] as remain
                from "time" h where h.assignable_id = item group by h.role_id) t on t.role_id = e.role_id
              offset 0) s
            offset 0) c
          offset 0) r;
      is_alone := one.effort = part.effort and not one.is_other
        and num_nulls(part.effort_completed, part.time_spent, part.time_remain) = 0;
    end if;
    if is_alone then
      item_completed := one.item_completed;
      item_spent := coalesce(one.item_spent, 0);
      item_remain := coalesce(one.item_remain, 0);
      item_progress := case
        when is_finished then 1
        when item_spent > 0 then round(item_spent / (item_spent + item_remain), 4)
        when part.effort > 0 then round(least(coalesce(one.done, 0) / part.effort, 1), 4)
        else 0 end;
      if level = 1 then
        summed := array[item];
        if item_completed <> part.effort_completed then
          insert into span_delta (span_id, effort, effort_completed)
            select s.span, 0, item_completed - part.effort_completed from (values
              (part.iteration_id), (part.team_iteration_id), (part.release_id), (part.project_id)) s(span)
            where kind_is_in_spans(part.entity_type_id) and s.span is not null;
        end if;
      end if;
      rows := rows || one.ids;
      rows_completed := rows_completed || one.completed;
      rows_spent := rows_spent || one.spent;
      rows_remain := rows_remain || one.remain;
      if (part.effort_completed, part.effort_to_do, part.time_spent, part.time_remain, part.progress) is distinct from
        (item_completed, part.effort - item_completed, item_spent, item_remain, item_progress) then
        ids := ids || item;
        ids_completed := ids_completed || item_completed;
        ids_spent := ids_spent || item_spent;
        ids_remain := ids_remain || item_remain;
        ids_progress := ids_progress || item_progress;
      end if;
      if rows = '{}' and ids = '{}' then return; end if;
      roles := one.roles;
      completed := one.more_completed;
      spent := one.more_spent;
      remain := one.more_remain;
      item_spent := item_spent - part.time_spent;
      item_remain := item_remain - part.time_remain;
    end if;
    if is_alone is not true then
`;
