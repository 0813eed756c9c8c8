/**
 * Looks for parts that lie in another project than what they belong to. What else follows from the project of an item,
 * its state above all, the service alone knows: so items are moved through the API.
 */
import type { DataSource } from 'typeorm';
import { type Finding, forPeople } from './finding.js';

interface Elsewhere {
  readonly path: string;
  readonly count: number;
  /** The first of them, and the project where it has to lie. */
  readonly first: number;
  readonly project: number;
}

export async function checkPlaces(dataSource: DataSource): Promise<Finding[]> {
  const items: Elsewhere[] = await dataSource.query(itemsElsewhere);
  const [{ count }] = await dataSource.query(`select count(*)::int as count from "time" t ${timesElsewhere}`);
  const times: Finding = {
    check: 'places',
    problem: `${count} times are spent on another project than that of their item.`,
    mends: [
      `update "time" t set project_id = (select g.project_id from general g where g.id = t.assignable_id)
      ${timesElsewhere}`,
    ],
  };
  return [...items.map((one) => forPeople('places', howToMove(one))), ...(count > 0 ? [times] : [])];
}

const howToMove = ({ path, count, first, project }: Elsewhere): string =>
  `${count} ${path} lie in another project than what they belong to, ${first} first; ` +
  `POST /api/v1/${path}/${first} with {"Project":{"Id":${project}}} moves that.`;

const itemsElsewhere = `select case g.entity_type_id when 5 then 'Tasks' else 'TestPlanRuns' end as path,
    count(*)::int as count, min(g.id) as first, (array_agg(o.project_id order by g.id))[1] as project
  from general g join general o on o.id = case g.entity_type_id when 5 then g.user_story_id else g.test_plan_id end
  where g.entity_type_id in (5, 14) and g.delete_date is null and g.project_id <> o.project_id
  group by g.entity_type_id order by path`;

const timesElsewhere = `where t.assignable_id is not null
  and t.project_id <> (select g.project_id from general g where g.id = t.assignable_id)`;
