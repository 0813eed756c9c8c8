/**
 * Three sets of rows, one of each kind: what everybody may know, a project of the caller's, and one he may not see. The
 * rows of the last are told by their texts and ids wherever they turn up, and are tied to the caller's own in every way
 * there is.
 */
import type { CollectionField, ReferenceField, ResourceType } from '../../src/model/model.js';
import type { TestApp } from './app.js';
import { type Ids, make, makeEverything, model, type Place } from './builder.js';

export const secretMark = 'zqsecret';
export const ownMark = 'zqown';
/** Ids begin here, so that a number in an answer says whose it is. */
const firstSecret = 77_000_000;
const firstOwn = 66_000_000;
export const secretId = /(?<![\d.])77000\d{3}(?!\d)/;
export const ownId = /(?<![\d.])66000\d{3}(?!\d)/;

export interface Secrets {
  /** What every caller may see. */
  open: Ids;
  /** Rows that refer to nothing hidden, and rows that refer to hidden ones wherever they can. */
  own: Ids;
  tied: Ids;
  secret: Ids;
}

/** Custom fields of user stories that point at other entities, and more of other types by their names. */
export async function definePointers(app: TestApp, more: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const [Name, FieldType] of Object.entries({ Pointer: 'Entity', Pointers: 'MultipleEntities', ...more }))
    await app.post('/api/v1/CustomFields', { Name, FieldType, EntityType: { Id: 4 }, Process: { Id: 3 } });
}

export async function plant(app: TestApp): Promise<Secrets> {
  const open = await openRows(app);
  const hider = await otherPeople(app, open);
  await idsFrom(app, firstOwn);
  const own = (await makeEverything(app, ownMark, { ...open })).ids;
  // A program is seen by the members of its projects.
  await app.rows('update general set program_id = $2 where id = $1', [own.Project, own.Program]);
  const { Project, TeamProject, ProjectMember, Program, Milestone, MilestoneProject } = own as Required<Ids>;
  const shared = { Project, TeamProject, ProjectMember, Program, Milestone, MilestoneProject } as Ids;
  const tied = (await makeEverything(app, ownMark, { ...open, ...shared })).ids;
  await idsFrom(app, firstSecret);
  const secret = (await makeEverything(app, secretMark, { ...open, ...hider })).ids;
  const secrets = { open, own, tied, secret };
  await tie(app, secrets);
  await idsFrom(app, 88_000_000);
  return secrets;
}

async function openRows(app: TestApp): Promise<Ids> {
  const place: Place = { mark: 'Open', ids: { Process: 3, Role: 1, RelationType: 1, EntityType: 4 } };
  for (const kind of ['Company', 'Team', 'TeamIteration', 'User', 'Requester', 'PortfolioEpic', 'Tag'])
    place.ids[kind] = await make(app, kind, place);
  place.ids.TeamMember = await make(app, 'TeamMember', place);
  return place.ids;
}

/** A team and a member that no caller of the spec has to do with. */
async function otherPeople(app: TestApp, open: Ids): Promise<Ids> {
  const place: Place = { mark: 'Other', ids: { ...open } };
  for (const kind of ['Team', 'User']) place.ids[kind] = await make(app, kind, place);
  return { Team: place.ids.Team!, User: place.ids.User!, TeamMember: open.TeamMember! };
}

export async function idsFrom(app: TestApp, first: number): Promise<void> {
  await app.rows(
    `select setval(quote_ident(schemaname) || '.' || quote_ident(sequencename), $1::bigint)
    from pg_sequences where sequencename not in ('migration_id_seq', 'general_user_id_seq', 'tag_id_seq', 'company_id_seq', 'team_member_id_seq')`,
    [first],
  );
}

/** What makes a row visible, which must stay as it is. */
const places: Record<string, RegExp> = {
  general: /^(project_id|program_id|team_id|process_id|entity_type_id|entity_state_id|id)$/,
  team_project: /./,
  project_member: /./,
  release_project: /./,
  milestone_project: /./,
  team_assignment: /./,
  team_project_allocation: /./,
  assigned_effort: /./,
  message_general: /./,
  project_allocation: /./,
  inbound_assignable: /./,
  outbound_assignable: /./,
};

async function tie(app: TestApp, { tied, own, secret }: Secrets): Promise<void> {
  const client = await app.database.connect();
  try {
    // No trigger moves a total or records a history: what is planted is what is there, and nothing else.
    await client.query('set session_replication_role = replica');
    for (const resource of model.resources.filter((one) => !one.isAbstract && !places[one.table]?.test('general_id'))) {
      for (const field of resource.fields) {
        if (field.kind === 'reference' && isTie(resource, field)) {
          await client.query(
            refer(resource, field),
            [tied[resource.name], idOf(secret, field.target)].map((id) => id ?? null),
          );
          await client.query(
            refer(resource, field),
            [secret[resource.name], idOf(own, field.target)].map((id) => id ?? null),
          );
        }
        if (field.kind === 'collection' && field.via.kind === 'link' && !places[field.via.table]) {
          await client.query(...link(field, tied[resource.name], idOf(secret, field.target)));
          await client.query(...link(field, secret[resource.name], idOf(own, field.target)));
        }
      }
    }
    await client.query(
      `update general set custom_values = jsonb_build_object('Pointer', jsonb_build_object('Id', $2::bigint, 'Kind', 'Bug'),
         'Pointers', $2::text || ' bug,' || $3::text || ' bug') where id = $1`,
      [tied.UserStory, secret.Bug, own.Bug],
    );
    await client.query(
      `update general_user set login = 'zqlogin' || id, email = 'zqmail' || id || '@example.com', active_directory_name = 'zqdomain' || id,
         last_login_date = timestamptz '1985-01-01' + id * interval '1 hour' where login <> 'admin' or login is null`,
    );
    await client.query(`insert into relation (master_id, slave_id, relation_type_id) values ($1, $2, 1), ($2, $1, 2)`, [
      tied.UserStory,
      secret.UserStory,
    ]);
    await client.query('insert into message_general (message_id, general_id) values ($1, $2)', [
      tied.Message,
      secret.UserStory,
    ]);
  } finally {
    client.release(true);
  }
}

function isTie(resource: ResourceType, field: ReferenceField): boolean {
  const { visible } = resource.settings;
  const deciding: readonly string[] = 'references' in visible ? visible.references : [];
  // The same column may have a second name.
  const decides = resource.fields.some(
    (one) => one.kind === 'reference' && one.column === field.column && deciding.includes(one.property),
  );
  return !decides && !places[resource.table]?.test(field.column) && field.target.settings.visible.kind !== 'everyone';
}

/** A row of the kind, or one that stands for its base. */
const idOf = (ids: Ids, { name }: ResourceType): number | undefined =>
  ids[name] ?? { General: ids.Bug, Assignable: ids.Bug }[name];

const refer = ({ table }: ResourceType, { column }: ReferenceField): string =>
  `update "${table}" set "${column}" = $2::bigint where id = $1::bigint and $2::bigint is not null and $1::bigint <> $2::bigint`;

function link({ via }: CollectionField, owner?: number, item?: number): [string, (number | null)[]] {
  if (via.kind !== 'link') throw new Error('only links join');
  const isOwn = /^(general_tag|request_requester|test_|team_project_workflow|revision_assignable)/.test(via.table);
  if (!isOwn || owner === undefined || item === undefined) return ['select $1::bigint, $2::bigint', [null, null]];
  return [
    `insert into "${via.table}" ("${via.from}", "${via.to}") values ($1, $2) on conflict do nothing`,
    [owner, item],
  ];
}

/** Changes all that a hidden row says, and deletes every other one: no answer to who may not see them can differ. */
export async function scramble(app: TestApp, callers: readonly number[]): Promise<void> {
  const columns = await app.rows(
    `select c.table_name as table, c.column_name as column, c.data_type as type from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name not like '%\\_id' and c.is_generated = 'NEVER'
       and c.column_name not in ('id', 'kind', 'field_type', 'status', 'last_status', 'modification', 'entity_version', 'progress')
       and exists (select 1 from information_schema.columns i where i.table_name = c.table_name and i.column_name = 'id')
       and c.table_name not in ('tag', 'company', 'general_user', 'migration')`,
  );
  const client = await app.database.connect();
  try {
    await client.query('set session_replication_role = replica');
    for (const [table, change] of changesOf(columns)) {
      await client.query(`update "${table}" set ${change} where id between ${firstSecret} and ${firstSecret + 999}
        ${table === 'general' ? 'and entity_type_id <> 23' : ''}`);
    }
    await client.query(
      `update general set delete_date = now() where id between ${firstSecret} and ${firstSecret + 999} and id % 2 = 0 and entity_type_id <> 23`,
    );
    await client.query(
      `update general_user set login = 'x' || (1000 - id), email = 'zq' || (1000 - id) || '@example.com', last_login_date = timestamptz '2001-01-01' + id * interval '1 day',
       active_directory_name = 'y' || id where id <> all($1::bigint[])`,
      [callers],
    );
  } finally {
    client.release(true);
  }
}

const different: Record<string, (column: string) => string> = {
  text: (column) => `"${column}" = '!' || "${column}"`,
  'character varying': (column) => `"${column}" = '!' || "${column}"`,
  integer: (column) => `"${column}" = 10000 - "${column}"`,
  numeric: (column) => `"${column}" = 1000 - "${column}"`,
  'double precision': (column) => `"${column}" = 1000 - "${column}"`,
  boolean: (column) => `"${column}" = not "${column}"`,
};

function changesOf(columns: readonly { table: string; column: string; type: string }[]): [string, string][] {
  const tables = [...new Set(columns.map(({ table }) => table))];
  return tables.flatMap((table): [string, string][] => {
    const parts = columns
      .filter((one) => one.table === table)
      .flatMap(({ column, type }) => different[type]?.(column) ?? []);
    return parts.length === 0 ? [] : [[table, parts.join(', ')]];
  });
}
