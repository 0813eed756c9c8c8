/**
 * What is written most, by 16 clients in one project: one field, another state, a time record, a comment. Each in a
 * project of its own.
 */
import { inTurn } from '../fixture.mjs';
import { singleWrite } from '../single-write.mjs';

const write = (one) => singleWrite({ goal: () => ({ bare: 0.35, spread: 4 }), ...one });

/** The i-th story of a project, and how often all of them had their turn. */
const inProject = (at, i, { projects }) => {
  const { stories, people } = inTurn(projects, at);
  return { story: inTurn(stories, i), person: inTurn(people, i), pass: Math.floor(i / stories.length) };
};

const live = 'entity_type_id = 4 and delete_date is null returning id';

const field = write({
  name: 'field',
  what: 'the name of a story is changed, answered with its Id',
  kind: 'UserStory',
  collection: 'UserStories',
  expects: 200,
  body: (i, fixture) => ({ Id: inProject(1, i, fixture).story.id, Name: `Renamed story, time ${i}` }),
  statements: {
    bare: `update general set name = $2, modify_date = now(), last_editor_id = 1 where id = $1::bigint and ${live}`,
  },
  values: ({ Id, Name }) => [Id, Name],
});

const state = write({
  name: 'state',
  what: 'a story moves to the next state of its workflow, from the last one to the first, answered with its Id',
  kind: 'UserStory',
  collection: 'UserStories',
  expects: 200,
  body(i, fixture) {
    const { story, pass } = inProject(2, i, fixture);
    const { states } = fixture.facts;
    const next = states.findIndex(({ id }) => id === story.state) + 1 + pass;
    return { Id: story.id, EntityState: { Id: inTurn(states, next).id } };
  },
  statements: {
    bare: `update general set entity_state_id = $2::bigint, modify_date = now(), last_state_change_date = now(), last_editor_id = 1,
        start_date = coalesce(start_date, now()), end_date = case when (select is_final from entity_state where id = $2::bigint) then now() end
      where id = $1::bigint and ${live}`,
  },
  values: ({ Id, EntityState }) => [Id, EntityState.Id],
});

const time = write({
  name: 'time',
  what: 'a time record of a story, answered with its Id',
  kind: 'Time',
  collection: 'Times',
  expects: 201,
  body(i, fixture) {
    const { story, person } = inProject(3, i, fixture);
    return {
      Description: `Measured time ${i}`,
      Spent: 1,
      Remain: 2,
      Date: '2026-01-15',
      User: { Id: person },
      Role: { Id: 1 },
      Assignable: { Id: story.id },
    };
  },
  statements: {
    bare: `insert into time (description, spent, remain, date, user_id, role_id, assignable_id, project_id, create_date)
      select $1, $2::numeric, $3::numeric, $4::timestamptz, $5::bigint, $6::bigint, id, project_id, now() from general
      where id = $7::bigint and delete_date is null returning id`,
  },
  values: ({ Description, Spent, Remain, Date: day, User, Role, Assignable }) => [
    Description,
    Spent,
    Remain,
    day,
    User.Id,
    Role.Id,
    Assignable.Id,
  ],
});

const comment = write({
  name: 'comment',
  what: 'a comment on a story, answered with its Id',
  kind: 'Comment',
  collection: 'Comments',
  expects: 201,
  body: (i, fixture) => ({
    Description: `<div>Measured comment ${i}</div>`,
    General: { Id: inProject(4, i, fixture).story.id },
  }),
  statements: {
    bare: `with commented as (
        update general set last_comment_date = now(), last_commented_user_id = 1 where id = $2::bigint and delete_date is null returning id)
      insert into comment (description, general_id, owner_id, create_date) select $1, id, 1, now() from commented returning id`,
  },
  values: ({ Description, General }) => [Description, General.Id],
});

export default [field, state, time, comment];
