/**
 * A story is created together with an assignment and an effort: answered with its default fields, or with its id alone.
 */
import { inTurn } from '../fixture.mjs';
import { selectStories } from '../limit/story.mjs';
import { graphql } from '../requests.mjs';
import { singleWrite } from '../single-write.mjs';

const bodyOf = (i, project) => ({
  Name: `Measured story ${i}`,
  Project: { Id: project.id },
  Assignments: [{ GeneralUser: { Id: inTurn(project.people, i) }, Role: { Id: 1 } }],
  RoleEfforts: [{ Role: { Id: 1 }, Effort: 5 }],
});

const createStory = `mutation ($name: String!, $project: Int!, $person: Int!, $assigned: Int!, $role: Int!, $effort: BigFloat!, $state: Int!,
    $priority: Int!, $roles: [Int]!) {
  createStory(input: {name: $name, projectId: $project, personId: $person, assignedId: $assigned, roleId: $role, effort: $effort, stateId: $state,
    priorityId: $priority, roles: $roles}) { integer } }`;

function argumentsOf(body, facts) {
  const [name, project, person, assigned, role, effort, state, priority, roles] = valuesOf(body, facts);
  return { name, project, person, assigned, role, effort, state, priority, roles };
}

function valuesOf(body, { state, priority, roles }) {
  const [{ GeneralUser, Role: assigned }] = body.Assignments;
  const [{ Role, Effort }] = body.RoleEfforts;
  return [body.Name, body.Project.Id, GeneralUser.Id, assigned.Id, Role.Id, Effort, state, priority, roles];
}

/** All rows in one statement: its parts see one another's results. */
const inserts = (more = '') => `with story as (
    insert into general (id, entity_type_id, name, project_id, entity_state_id, priority_id, effort, effort_to_do, owner_id, last_editor_id,
      create_date, modify_date, last_state_change_date, numeric_priority)
    select id, 4, $1, $2::bigint, $7::bigint, $8::bigint, $6::numeric, $6::numeric, 1, 1, now(), now(), now(), id
    from (select nextval('general_id_seq') as id) sequence returning *),
  assigned as (insert into assignment (assignable_id, general_user_id, role_id) select id, $3::bigint, $4::bigint from story returning *),
  efforts as (
    insert into role_effort (assignable_id, role_id, own_effort, effort, effort_to_do)
    select story.id, role.id, sent.effort, sent.effort, sent.effort from story, unnest($9::bigint[]) role(id),
      lateral (select case when role.id = $5::bigint then $6::numeric else 0 end as effort) sent
    returning *)${more}
  select id from story`;

const recorded =
  'entity_type_id, effort, effort_completed, effort_to_do, project_id, entity_state_id, release_id, iteration_id';
const recordedInFull = `${recorded}, name, description, start_date, end_date, time_spent, time_remain, priority_id, team_iteration_id,
  owner_id, custom_values, planned_start_date, planned_end_date, initial_estimate, severity_id, portfolio_epic_id,
  epic_id, feature_id, user_story_id, build_id`;

/** What came, by column, with nothing before it. */
const came = (columns) =>
  `jsonb_build_object(${columns.map((column) => `'${column}', jsonb_build_array(null, ${column})`).join(', ')})`;

const storyColumns = [
  'name',
  'numeric_priority',
  'entity_type_id',
  'owner_id',
  'project_id',
  'priority_id',
  'entity_state_id',
];

/**
 * The histories, the record of changes, and the totals of the project, which is locked last, and so for the shortest
 * time.
 */
const records = `,
  changes as (
    insert into change_record (author_id, kind, resource, entity_id, project_id, changes)
    select 1, 'create', 'UserStory', id, project_id, ${came(storyColumns)} from story
    union all select 1, 'create', 'Assignment', id, $2::bigint, ${came(['assignable_id', 'general_user_id', 'role_id'])} from assigned
    union all select 1, 'create', 'RoleEffort', id, $2::bigint, ${came(['assignable_id', 'role_id', 'own_effort'])} from efforts),
  simple as (insert into simple_history (general_id, date, modifier_id, ${recorded}) select id, now(), last_editor_id, ${recorded} from story),
  full_record as (
    insert into full_history (general_id, source_entity_id, date, date_to, modification, modifier_id, ${recordedInFull})
    select id, id, now(), timestamptz '9999-12-31 23:59:59', 'Add', last_editor_id, ${recordedInFull} from story),
  project as (update general set entity_version = entity_version + 1, effort = effort + $6::numeric,
      effort_to_do = effort + $6::numeric - effort_completed,
      progress = case when effort + $6::numeric > 0 then round(least(effort_completed / (effort + $6::numeric), 1), 4) else 0 end
    where id = $2::bigint)`;

/** Made once: it is long. */
let created;

const whole = {
  name: 'create',
  what: 'a story with one assignment and one role effort in a JSON body, in a hundred projects, answered with its default fields',
  clients: [16],
  unit: 'requests',
  size: 1,
  goal: () => ({ ratio: 1 / 2 }),
  service: (i, { projects, headers }) => ({
    method: 'POST',
    path: '/api/v1/UserStories?format=json',
    headers,
    body: bodyOf(i, inTurn(projects, i)),
    expects: 201,
  }),
  limit: (i, { projects }) => ({ method: 'POST', path: '/create', body: bodyOf(i, inTurn(projects, i)), expects: 201 }),

  async answer(database, body, facts) {
    const text = await database.transaction(async (rows) => {
      const [{ id }] = await rows('create', inserts(), valuesOf(body, facts));
      created ??= selectStories('g.id = $1', facts);
      const [{ item }] = await rows('created', created, [id]);
      return item;
    });
    return { status: 201, text };
  },
};

const withId = (name, where, projectOf, more) =>
  singleWrite({
    name,
    what: `a story with one assignment and one role effort, ${where}, answered with its Id`,
    kind: 'UserStory',
    collection: 'UserStories',
    expects: 201,
    body: (i, { projects }) => bodyOf(i, projectOf(i, projects)),
    statements: { bare: inserts(), same: inserts(records) },
    values: valuesOf,
    ...more,
  });

const goal = { bare: 0.35, same: 0.7 };
const unlikeFewer = {
  1: {},
  16: { spread: 4, beside: { clients: 1, least: 1.5 } },
  64: { beside: { clients: 16, least: 1 } },
};

export default [
  whole,
  withId('create-one', 'all in one project', (_, projects) => projects[0], {
    clients: [1, 16, 64],
    goal: (clients) => ({ ...goal, ...unlikeFewer[clients] }),
    peers: {
      stock: (i, { projects }) => ({ method: 'POST', path: '/create', body: bodyOf(i, projects[0]), expects: 201 }),
      postgraphile: (i, { projects, facts }) => graphql(createStory, argumentsOf(bodyOf(i, projects[0]), facts)),
    },
  }),
  withId('create-hundred', 'in a hundred projects', (i, projects) => inTurn(projects, i), {
    clients: [16, 64],
    goal: (clients) => ({
      ...goal,
      ...(clients === 16 ? { spread: 4 } : {}),
      beside: { case: 'create-one', clients, least: 0.8, most: 1.25 },
    }),
  }),
];
