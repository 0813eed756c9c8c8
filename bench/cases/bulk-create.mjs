/** A thousand stories are created by one request, and answered with their ids and names. */
import { inTurn } from '../fixture.mjs';
import { listOf } from '../limit/list.mjs';

const size = 1000;

const storyOf = (i, at, { id }) => ({
  Name: `Measured story ${i} of batch ${at}`,
  Project: { Id: id },
  ...(at % 2 === 0 ? { Description: `<div>Text of number ${at} and so on and so on and so on</div>` } : {}),
});

const inAll = (i, { projects }) => Array.from({ length: size }, (_, at) => storyOf(i, at, inTurn(projects, at)));

/** With efforts, so that all add to the same totals. */
const inOne = (i, { projects }) =>
  Array.from({ length: size }, (_, at) => ({
    ...storyOf(i, at, projects[0]),
    RoleEfforts: [{ Role: { Id: 1 }, Effort: 1 + (at % 5) }],
  }));

const bulkCreate = (name, what, body, more) => {
  const byHand = (i, fixture) => ({ method: 'POST', path: `/${name}`, body: body(i, fixture), expects: 200 });
  return {
    name,
    what: `a thousand stories by one request, half of them with a description, ${what}, answered with Id and Name`,
    clients: [1, 4],
    unit: 'entities',
    size,
    service: (i, fixture) => ({
      ...byHand(i, fixture),
      path: '/api/v1/UserStories/bulk?format=json&include=[Id,Name]',
      headers: fixture.headers,
    }),
    bare: byHand,
    answer,
    ...more(byHand),
  };
};

async function answer(database, input, { state, priority, roles }) {
  const values = [
    input.map(({ Name }) => Name),
    input.map(({ Project }) => Project.Id),
    input.map(({ Description }) => Description ?? null),
    input.map(({ RoleEfforts }) => RoleEfforts?.[0].Effort ?? 0),
    state,
    priority,
    roles,
  ];
  const [{ list }] = await database.rows('bulk-create', inserts, values);
  return { status: 200, text: list };
}

const inserts = `with sent as materialized (
    select nextval('general_id_seq') as id, s.* from unnest($1::text[], $2::bigint[], $3::text[], $4::numeric[])
      with ordinality s(name, project_id, description, effort, at)),
  stories as (
    insert into general (id, entity_type_id, name, project_id, description, entity_state_id, priority_id, owner_id, last_editor_id,
      create_date, modify_date, last_state_change_date, numeric_priority, effort, effort_to_do)
    select id, 4, name, project_id, description, $5::bigint, $6::bigint, 1, 1, now(), now(), now(), id, effort, effort from sent order by at),
  efforts as (
    insert into role_effort (assignable_id, role_id, own_effort, effort, effort_to_do)
    select sent.id, role.id, part.effort, part.effort, part.effort from sent, unnest($7::bigint[]) role(id),
      lateral (select case when role.id = 1 then sent.effort else 0 end as effort) part)
  select ${listOf('id', 'name', 'at')} as list from sent`;

export const bulkOfBare = { bare: 0.4, rateWhere: { rate: 12_000, bare: 30_000 } };

export default [
  bulkCreate('bulk-create', 'in a hundred projects', inAll, (byHand) => ({
    limit: byHand,
    goal: (clients) => ({ rate: 10_000, ratio: 1 / 3, ...(clients === 1 ? bulkOfBare : {}) }),
  })),
  bulkCreate('bulk-one', 'each with an effort, in one project', inOne, () => ({
    goal: (clients) => (clients === 1 ? bulkOfBare : { beside: { clients: 1, least: 1 } }),
  })),
];
