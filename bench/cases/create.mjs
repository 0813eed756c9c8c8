/** A story is created together with an assignment and an effort, and answered with its default fields. */
import { inTurn } from '../fixture.mjs';
import { selectStories } from '../limit/story.mjs';

const bodyOf = (i, { projects }) => {
  const project = inTurn(projects, i);
  return {
    Name: `Measured story ${i}`,
    Project: { Id: project.id },
    Assignments: [{ GeneralUser: { Id: inTurn(project.people, i) }, Role: { Id: 1 } }],
    RoleEfforts: [{ Role: { Id: 1 }, Effort: 5 }],
  };
};

export default {
  name: 'create',
  what: 'a story with one assignment and one role effort in a JSON body, answered with its default fields',
  clients: [16],
  unit: 'requests',
  size: 1,
  goal: () => ({ ratio: 1 / 2 }),
  service: (i, fixture) => ({
    method: 'POST',
    path: '/api/v1/UserStories?format=json',
    headers: fixture.headers,
    body: bodyOf(i, fixture),
    expects: 201,
  }),
  limit: (i, fixture) => ({ method: 'POST', path: '/create', body: bodyOf(i, fixture), expects: 201 }),

  async answer(database, body, facts) {
    const [{ GeneralUser, Role: assigned }] = body.Assignments;
    const [{ Role, Effort }] = body.RoleEfforts;
    const { state, priority, roles } = facts;
    const values = [body.Name, body.Project.Id, GeneralUser.Id, assigned.Id, Role.Id, Effort, state, priority, roles];
    const text = await database.transaction(async (rows) => {
      const [{ id }] = await rows('create', database.isAdding ? inserts(addToProject) : inserts(''), values);
      created ??= selectStories('g.id = $1', facts);
      const [{ item }] = await rows('created', created, [id]);
      return item;
    });
    return { status: 201, text };
  },
};

/** Spelled once: it is long. */
let created;

const addToProject = `, project as (update general set effort = effort + $6::numeric, effort_to_do = effort + $6::numeric - effort_completed,
    progress = case when effort + $6::numeric > 0 then round(least(effort_completed / (effort + $6::numeric), 1), 4) else 0 end
  where id = $2::int)`;

/** All rows in one statement: its parts see one another's results. */
const inserts = (more) => `with story as (
    insert into general (entity_type_id, name, project_id, entity_state_id, priority_id, effort, effort_to_do, owner_id, last_editor_id,
      create_date, modify_date, last_state_change_date, numeric_priority)
    values (4, $1, $2::int, $7::int, $8::int, $6::numeric, $6::numeric, 1, 1, now(), now(), now(),
      (select coalesce(max(numeric_priority), 0) + 1 from general where entity_type_id = 4))
    returning id),
  assigned as (insert into assignment (assignable_id, general_user_id, role_id) select id, $3::int, $4::int from story),
  efforts as (
    insert into role_effort (assignable_id, role_id, own_effort, effort, effort_to_do)
    select story.id, role.id, said.effort, said.effort, said.effort from story, unnest($9::int[]) role(id),
      lateral (select case when role.id = $5::int then $6::numeric else 0 end as effort) said)${more}
  select id from story`;
