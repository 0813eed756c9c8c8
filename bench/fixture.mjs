/** What requests refer to: projects with their members, and stories in windows of a thousand, apart for each server. */

const headers = { Authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` };
const windowSize = 1000;

export async function readFixture(client) {
  const projects = await client.query(
    `select p.id, array_agg(m.user_id order by m.user_id) as people from general p join project_member m on m.project_id = p.id
     where p.entity_type_id = 1 and p.name like 'Bulk project %' and p.delete_date is null group by p.id order by p.id`,
  );
  if (projects.rows.length === 0) throw new Error('The database has no projects for measuring: was it seeded?');
  const stories = await client.query(
    `select s.id from general s join general p on p.id = s.project_id
     where s.entity_type_id = 4 and s.delete_date is null and p.name like 'Bulk project %' order by s.id limit 200000`,
  );
  const ids = stories.rows.map(({ id }) => id);
  const windows = Array.from({ length: Math.floor(ids.length / windowSize) }, (_, at) =>
    ids.slice(at * windowSize, (at + 1) * windowSize),
  );
  // The first change of a row writes a history record, the next ones of the same minutes extend it: neither server may profit from the other.
  const [service, limit] = [0, 1].map((side) => windows.filter((_, at) => at % 2 === side));
  return { headers, projects: projects.rows, windows: { service, limit } };
}

export const inTurn = (all, i) => all[i % all.length];
