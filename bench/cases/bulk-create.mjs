/** A thousand stories are created by one request, and answered with their ids and names. */
import { inTurn } from '../fixture.mjs';
import { listOf } from '../limit/list.mjs';

const size = 1000;

const bodyOf = (i, { projects }) =>
  Array.from({ length: size }, (_, at) => ({
    Name: `Measured story ${i} of batch ${at}`,
    Project: { Id: inTurn(projects, at).id },
    ...(at % 2 === 0 ? { Description: `<div>Text of number ${at} and so on and so on and so on</div>` } : {}),
  }));

export default {
  name: 'bulk-create',
  what: 'a thousand stories by one request, half of them with a description, answered with Id and Name',
  clients: [1, 4],
  unit: 'entities',
  size,
  goal: () => ({ rate: 10_000, ratio: 1 / 3 }),
  service: (i, fixture) => ({
    method: 'POST',
    path: '/api/v1/UserStories/bulk?format=json&include=[Id,Name]',
    headers: fixture.headers,
    body: bodyOf(i, fixture),
    expects: 200,
  }),
  limit: (i, fixture) => ({ method: 'POST', path: '/bulk-create', body: bodyOf(i, fixture), expects: 200 }),

  async answer(database, body, { state, priority, roles }) {
    const values = [
      body.map(({ Name }) => Name),
      body.map(({ Project }) => Project.Id),
      body.map(({ Description }) => Description ?? null),
      state,
      priority,
      roles,
    ];
    const [{ list }] = await database.transaction((rows) => rows('bulk-create', inserts, values));
    return { status: 200, text: list };
  },
};

// No efforts are sent, so there is nothing to add to the projects.
const inserts = `with sent as materialized (
    select nextval('general_id_seq')::int as id, s.* from unnest($1::text[], $2::int[], $3::text[])
      with ordinality s(name, project_id, description, at)),
  last as materialized (select coalesce(max(numeric_priority), 0) as rank from general where entity_type_id = 4),
  stories as (
    insert into general (id, entity_type_id, name, project_id, description, entity_state_id, priority_id, owner_id, last_editor_id,
      create_date, modify_date, last_state_change_date, numeric_priority)
    select id, 4, name, project_id, description, $4::int, $5::int, 1, 1, now(), now(), now(), last.rank + at from sent, last order by at),
  efforts as (insert into role_effort (assignable_id, role_id) select sent.id, role.id from sent, unnest($6::int[]) role(id))
  select ${listOf('id', 'name', 'at')} as list from sent`;
