/**
 * A test plan and its item name each other. Links that were written before both sides followed may name somebody who does not name them
 * back: each entity keeps one of its links, and both sides of it are stored.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class PlanLinks1700000000022 implements MigrationInterface {
  name = 'PlanLinks1700000000022';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(agreeingLinks);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** As either side stores them, with the date at which that side was written last. */
const stored = `select id as plan, linked_general_id as item, modify_date as date from general
      where linked_general_id is not null and entity_type_id = 13
    union all select linked_test_plan_id, id, modify_date from general where linked_test_plan_id is not null`;

const isLive = '(p.delete_date is null and i.delete_date is null)';

const follow = (column: string, self: string, other: string): string => `update general g set ${column} = n.value
    from (select o.id, k.${other} as value from general o left join kept_link k on k.${self} = o.id
      where o.${column} is not null or k.${self} is not null) n
    where g.id = n.id and g.${column} is distinct from n.value`;

/**
 * Links that are shown come before those of deleted entities, those that both sides name before others, later ones before earlier ones.
 * Rows that are inserted earlier are in the way of later ones with the same plan or item. No date and no version moves.
 */
export const agreeingLinks = `do $$ begin
  create temporary table kept_link (plan int unique, item int unique) on commit drop;
  insert into kept_link
    select s.plan, s.item from (${stored}) s
      join general p on p.id = s.plan and p.entity_type_id = 13 join general i on i.id = s.item and i.id <> p.id
    group by s.plan, s.item, ${isLive} order by ${isLive} desc, count(*) desc, max(s.date) desc nulls last, s.plan, s.item
    on conflict do nothing;
  ${follow('linked_general_id', 'plan', 'item')};
  ${follow('linked_test_plan_id', 'item', 'plan')};
end $$`;
