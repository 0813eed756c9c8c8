/** What a first version of such a service would map: the tables of the service as plain entities with relations. */
import { EntitySchema } from 'typeorm';

const id = { type: Number, primary: true, generated: true };
const text = (name) => ({ type: String, name, nullable: true });
const moment = (name) => ({ type: 'timestamptz', name, nullable: true });
const number = (name) => ({ type: 'numeric', name, nullable: true });
const one = (target, column) => ({ type: 'many-to-one', target, joinColumn: { name: column }, nullable: true });
const many = (target, inverseSide) => ({ type: 'one-to-many', target, inverseSide, cascade: ['insert'] });
const entity = (name, tableName, columns, relations = {}) =>
  new EntitySchema({ name, tableName, columns: { id, ...columns }, relations });

const named = { name: text('name') };
const work = { ...named, effort: number('effort'), kind: { type: Number, name: 'entity_type_id' } };

const references = {
  lastEditor: one('Person', 'last_editor_id'),
  owner: one('Person', 'owner_id'),
  lastCommentedUser: one('Person', 'last_commented_user_id'),
  project: one('Named', 'project_id'),
  linkedTestPlan: one('Named', 'linked_test_plan_id'),
  milestone: one('Named', 'milestone_id'),
  release: one('Named', 'release_id'),
  iteration: one('Named', 'iteration_id'),
  teamIteration: one('Named', 'team_iteration_id'),
  team: one('Named', 'team_id'),
  priority: one('Priority', 'priority_id'),
  entityState: one('EntityState', 'entity_state_id'),
  feature: one('Named', 'feature_id'),
  build: one('Named', 'build_id'),
};

export const storyRelations = Object.fromEntries(Object.keys(references).map((name) => [name, true]));

export const entities = [
  entity(
    'Story',
    'general',
    {
      ...work,
      description: text('description'),
      startDate: moment('start_date'),
      endDate: moment('end_date'),
      createDate: moment('create_date'),
      modifyDate: moment('modify_date'),
      lastCommentDate: moment('last_comment_date'),
      numericPriority: number('numeric_priority'),
      entityVersion: number('entity_version'),
      effortCompleted: number('effort_completed'),
      effortToDo: number('effort_to_do'),
      progress: number('progress'),
      timeSpent: number('time_spent'),
      timeRemain: number('time_remain'),
      lastStateChangeDate: moment('last_state_change_date'),
      plannedStartDate: moment('planned_start_date'),
      plannedEndDate: moment('planned_end_date'),
      units: text('units'),
      initialEstimate: number('initial_estimate'),
      customValues: { type: 'jsonb', name: 'custom_values' },
    },
    {
      ...references,
      tasks: many('Task', 'userStory'),
      bugs: many('Bug', 'userStory'),
      assignments: many('Assignment', 'assignable'),
      roleEfforts: many('RoleEffort', 'assignable'),
    },
  ),
  entity('Task', 'general', work, { userStory: one('Story', 'user_story_id') }),
  entity('Bug', 'general', work, { userStory: one('Story', 'user_story_id') }),
  entity('Named', 'general', named),
  entity('Priority', 'priority', named),
  entity('EntityState', 'entity_state', named),
  entity('Role', 'role', named),
  entity('Person', 'general_user', {
    firstName: text('first_name'),
    lastName: text('last_name'),
    login: text('login'),
  }),
  entity(
    'Assignment',
    'assignment',
    {},
    {
      assignable: one('Story', 'assignable_id'),
      generalUser: one('Person', 'general_user_id'),
      role: one('Role', 'role_id'),
    },
  ),
  entity(
    'RoleEffort',
    'role_effort',
    { ownEffort: number('own_effort'), effort: number('effort'), effortToDo: number('effort_to_do') },
    { assignable: one('Story', 'assignable_id'), role: one('Role', 'role_id') },
  ),
];
