/** Rows of the demonstration database that specs begin with. */
import type { TestApp } from './app.js';

/** The projects of the process Scrum, whose items have all kinds of states, by Id. */
export async function scrumProjects(app: TestApp): Promise<[number, number, ...number[]]> {
  const rows = await app.rows(
    'select id from general where entity_type_id = 1 and process_id = 3 and delete_date is null order by id',
  );
  return rows.map(({ id }) => id) as [number, number, ...number[]];
}

const tables = [
  ...['general', 'general_user', 'comment', 'time', 'tag', 'general_tag', 'assignment', 'team_assignment'],
  ...['role_effort', 'relation', 'project_member', 'full_history', 'simple_history', 'idempotency_key'],
];

/** Everything a write could leave behind, counted in one statement. */
export async function storedCounts(app: TestApp): Promise<Record<string, unknown>> {
  const counts = tables.map((table) => `(select count(*)::int from "${table}") as "${table}"`).join(', ');
  const [row] = await app.rows(`select ${counts}, (select sum(entity_version)::text from general) as versions`);
  return row;
}

/**
 * Leaves no work, and no index that only makes reading quicker: looking at them is a quarter of what planning takes,
 * which is most of the time of a spec that asks thousands of questions about a few rows.
 */
export async function withoutWork(app: TestApp): Promise<void> {
  await app.rows('truncate general cascade');
  const indexes = await app.rows(
    `select i.indexrelid::regclass::text as name from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and not c.relispartition and not i.indisunique`,
  );
  await app.rows(`drop index ${indexes.map(({ name }) => name).join(', ')}`);
}
