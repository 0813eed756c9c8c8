/**
 * Every index of `general` serves a query of the service: those by the key of a reference are found by the model, the
 * others are listed.
 */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedBulk } from '../../src/database/seeds/bulk.js';
import { sessionOptions } from '../../src/database/session.js';
import { model } from '../support/builder.js';
import { compiledList, valuesOf } from '../support/compiled-list.js';
import { ScratchDatabase } from '../support/scratch-database.js';

let database: ScratchDatabase;
let client: pg.Client;

beforeAll(async () => {
  database = await ScratchDatabase.create();
  const options = sessionOptions({ timeZone: 'UTC', statementTimeoutMs: 0 });
  client = new pg.Client({ connectionString: database.url, options });
  await client.connect();
  await seedBulk(client, { generals: 20_000 });
  await client.query('vacuum (analyze) general');
}, 180_000);

afterAll(async () => {
  await client.end();
  await database.drop();
});

interface Asked {
  text: string;
  values: unknown[];
}

/** A list of version 1. */
function list(resource: string, query: string): Asked {
  const statement = compiledList(resource, query);
  return { text: statement.text, values: valuesOf(statement) };
}

/** What rules look for. */
const statement = (text: string): Asked => ({ text, values: [] });

/** Indexes that no reference leads to, each with the query it serves. */
const listed: Record<string, Asked> = {
  PK: list('UserStory', 'where=Id eq 5'),
  ix_general_kind: list('UserStory', 'include=[Id]&take=25&where=EntityState.Id ne 46'),
  ix_general_kind_id: list('UserStory', 'include=[Name]&take=25&skip=5000'),
  ix_general_kind_created: list('UserStory', 'include=[Name]&orderByDesc=CreateDate'),
  ix_general_kind_modified: list('UserStory', 'include=[Name]&orderByDesc=ModifyDate'),
  ix_general_kind_ended: list('UserStory', "include=[Name]&where=EndDate gt '2020-01-01'&orderByDesc=EndDate"),
  ix_general_kind_name: list('UserStory', 'include=[Name]&orderBy=Name'),
  ix_general_kind_name_lower: list('UserStory', "include=[Name]&where=Name eq 'Story 5 about search'"),
  ix_general_name_parts: list('UserStory', "include=[Name]&where=Name contains 'Story 4711'"),
  ix_general_kind_rank: list('UserStory', 'include=[Name]&orderBy=NumericPriority'),
  ix_general_kind_state: list('UserStory', 'include=[Name]&where=EntityState.Id eq 47'),
  ix_general_project_state: list(
    'UserStory',
    "include=[Name]&where=(EntityState.Name eq 'Done') and (Project.Id eq 8)",
  ),
  ix_general_commented: list(
    'General',
    "include=[Name]&where=LastCommentDate gt '2020-01-01'&orderByDesc=LastCommentDate",
  ),
  ix_general_custom: list('UserStory', 'include=[Id]&where=CustomFields.Score eq 42&orderBy=Id'),
  ix_general_deleted: statement(
    'select id from general where entity_type_id = 4 and delete_date is not null order by delete_date',
  ),
  // What went along with a deletion comes back with it.
  ix_general_deleted_with: statement('select id from general where deleted_with_id = 5'),
  // A team assignment that goes is nobody's responsible one any more.
  ix_general_responsible_team: statement('select id from general where responsible_team_id = 5'),
};

async function usesIndex(index: string, { text, values }: Asked): Promise<boolean> {
  const { rows } = await client.query(`explain ${text}`, values);
  return rows.some((row) => row['QUERY PLAN'].includes(index));
}

/** Lists by an item, of all kinds that refer by the column. */
const referring = (column: string) =>
  model.resources
    .filter(({ root, derived }) => root.name === 'General' && derived.length === 0)
    .flatMap((resource) =>
      resource.fields
        .filter((field) => field.kind === 'reference' && field.column === column)
        .map((field) => list(resource.name, `include=[Id]&where=${field.name}.Id eq 5`)),
    );

it('serves a query by each index', { timeout: 120_000 }, async () => {
  const { rows } = await client.query(
    `select c.relname as index, a.attname as first from pg_index i join pg_class c on c.oid = i.indexrelid
       left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
     where i.indrelid = 'general'::regclass order by 1`,
  );
  const idle: string[] = [];
  for (const { index, first } of rows) {
    const own = listed[index.startsWith('PK') ? 'PK' : index];
    const queries = own ? [own] : referring(first);
    let isUsed = false;
    for (const query of queries) isUsed ||= await usesIndex(index, query);
    if (!isUsed) idle.push(`${index} (${queries.length} queries)`);
  }
  expect(idle).toEqual([]);
  expect(rows.length).toBeGreaterThan(30);
});
