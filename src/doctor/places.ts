/**
 * Looks for parts that lie in another project than what they belong to. What else follows from the project of an item,
 * its state above all, the service alone knows: so items are moved through the API.
 */
import type { DataSource } from 'typeorm';
import { hierarchyOf } from '../command/hierarchy.js';
import type { Model, ResourceType } from '../model/model.js';
import { type Finding, forPeople, type Mend } from './finding.js';
import { idsOf, lockRows, mendRows } from './mend-rows.js';

interface Elsewhere {
  readonly kind: number;
  readonly count: number;
  /** The first of them, and the project where it has to lie. */
  readonly first: number;
  readonly project: number;
}

export async function checkPlaces(dataSource: DataSource, model: Model): Promise<Finding[]> {
  const items: Elsewhere[] = await dataSource.query(itemsElsewhere(hierarchyOf(model).owner('g')));
  const timesElsewhere = elsewhere(model.resource('Time'));
  const [{ count }] = await dataSource.query(`select count(*)::int as count ${timesElsewhere.counted}`);
  const times: Finding = {
    check: 'places',
    problem: `${count} times are spent on another project than that of their item.`,
    mends: [timesElsewhere.mend],
  };
  return [...items.map((one) => forPeople('places', howToMove(one, model))), ...(count > 0 ? [times] : [])];
}

function howToMove({ kind, count, first, project }: Elsewhere, model: Model): string {
  const path = kindOf(kind, model).collection;
  return (
    `${count} ${path} lie in another project than what they belong to, ${first} first; ` +
    `POST /api/v1/${path}/${first} with {"Project":{"Id":${project}}} moves that.`
  );
}

const kindOf = (id: number, { resources }: Model): ResourceType =>
  resources.find(
    ({ isGeneral, settings, derived }) => isGeneral && derived.length === 0 && settings.entityTypeId === id,
  )!;

const itemsElsewhere = (owner: string): string => `select g.entity_type_id as kind, count(*)::int as count,
    min(g.id) as first, (array_agg(o.project_id order by g.id))[1] as project
  from general g join general o on o.id = ${owner}
  where g.delete_date is null and g.project_id <> o.project_id
  group by g.entity_type_id order by kind`;

/** Rows of a table of their own, whose project is that of their item. */
function elsewhere(type: ResourceType): { counted: string; mend: Mend } {
  const [item, project] = [type.referenceOf('assignable').column, type.referenceOf('project').column];
  const ofItem = `(select g.project_id from general g where g.id = t."${item}")`;
  const where = `where t."${item}" is not null and t."${project}" is distinct from ${ofItem}`;
  const renewal = `update "${type.table}" t set "${project}" = ${ofItem} ${where} and t.id = any($1::bigint[])`;
  return {
    counted: `from "${type.table}" t ${where}`,
    mend: async (client) => {
      const ids = await idsOf(client, `select t.id from "${type.table}" t ${where} order by 1`);
      await mendRows(client, { what: 'places of times', ids, statements: [lockRows(type.table), renewal] });
    },
  };
}
