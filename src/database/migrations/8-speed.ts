/** Indexes for what is asked for most: items of an owner by kind, parts of names, values of custom fields. */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Speed1700000000008 implements MigrationInterface {
  name = 'Speed1700000000008';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of [...byOwner, ...byCustomValue, ...inOrder, stateNames]) await runner.query(statement);
    await indexPartsOfNames(runner);
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** Columns of `general` whose owners count and list their items by kind; the index alone tells how many there are. */
const owners = ['user_story_id', 'feature_id', 'epic_id', 'release_id', 'iteration_id', 'team_iteration_id'];

const byOwner = owners.flatMap((owner) => {
  const name = `ix_general_${owner.replace(/_id$/, '')}`;
  return [
    `drop index ${name}`,
    `create index ${name} on general (${owner}, entity_type_id, id) include (delete_date) where ${owner} is not null`,
  ];
});

/** A condition of an index must follow from the filter, and that a row holds a value does not say that it is not empty. */
const byCustomValue = ['general', 'general_user', 'time'].flatMap((table) => [
  `drop index ix_${table}_custom`,
  `create index ix_${table}_custom on ${table} using gin (custom_values jsonb_path_ops)`,
]);

/** With the state in the index, a filter by state passes over what does not match without going to the rows. */
const inOrder = [
  'drop index ix_general_kind',
  'create index ix_general_kind on general (entity_type_id, id desc, entity_state_id) where delete_date is null',
  'drop index ix_general_project_kind',
  `create index ix_general_project_kind on general (project_id, entity_type_id, id desc, entity_state_id)
     where delete_date is null`,
];

const stateNames = 'create index ix_entity_state_name on entity_state (lower(name)) include (id)';

/**
 * By trigrams: an extension of PostgreSQL's own distribution, which a small installation may lack and whose creation takes a right
 * on the database. Without it parts of names are searched row by row.
 */
async function indexPartsOfNames(runner: QueryRunner): Promise<void> {
  const [{ creatable }] = await runner.query(
    `select has_database_privilege(current_database(), 'create')
       and exists (select 1 from pg_available_extensions where name = 'pg_trgm' and installed_version is null) as creatable`,
  );
  if (creatable) await runner.query('create extension pg_trgm');
  const [found] = await runner.query(
    `select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_trgm'`,
  );
  if (!found) return;
  await runner.query(
    `create index ix_general_name_parts on general using gin (lower(name) ${found.schema}.gin_trgm_ops) where delete_date is null`,
  );
}
