/**
 * A story with its default fields as one hand-written text expression over joins, in JSON or XML, for statements that
 * read stories.
 */
import { json, xml } from './spelling.mjs';

const reference = (kind, alias, more = []) => ({ kind, id: `${alias}.id`, name: `${alias}.name`, more });
const person = (alias) => ({
  kind: 'GeneralUser',
  id: `${alias}.id`,
  more: [
    ['FirstName', 'text', `${alias}.first_name`],
    ['LastName', 'text', `${alias}.last_name`],
    ['Login', 'text', `${alias}.login`],
    ['FullName', 'text', `concat_ws(' ', ${alias}.first_name, ${alias}.last_name)`],
  ],
});

const members = [
  ['Description', 'text', 'g.description'],
  ['StartDate', 'date', 'g.start_date'],
  ['EndDate', 'date', 'g.end_date'],
  ['CreateDate', 'date', 'g.create_date'],
  ['ModifyDate', 'date', 'g.modify_date'],
  ['LastCommentDate', 'date', 'g.last_comment_date'],
  [
    'Tags',
    'text',
    `coalesce((select string_agg(t.name, ', ' order by lower(t.name)) from general_tag l join tag t on t.id = l.tag_id
      where l.general_id = g.id), '')`,
  ],
  ['NumericPriority', 'number', 'g.numeric_priority'],
  ['EntityVersion', 'number', 'g.entity_version'],
  ['EntityType', 'reference', { kind: 'EntityType', id: '4', name: "'UserStory'::text", more: [] }],
  ['LastEditor', 'reference', person('editor')],
  ['Owner', 'reference', person('owner')],
  ['Creator', 'reference', person('owner')],
  ['LastCommentedUser', 'reference', person('commented')],
  [
    'Project',
    'reference',
    reference('Project', 'project', [
      ['Process', 'reference', { kind: 'Process', id: 'project.process_id', more: [] }],
    ]),
  ],
  ['LinkedTestPlan', 'reference', reference('TestPlan', 'plan')],
  ['Milestone', 'reference', reference('Milestone', 'milestone')],
  ['Effort', 'number', 'g.effort'],
  ['EffortCompleted', 'number', 'g.effort_completed'],
  ['EffortToDo', 'number', 'g.effort_to_do'],
  ['Progress', 'number', 'g.progress'],
  ['TimeSpent', 'number', 'g.time_spent'],
  ['TimeRemain', 'number', 'g.time_remain'],
  ['LastStateChangeDate', 'date', 'g.last_state_change_date'],
  ['PlannedStartDate', 'date', 'g.planned_start_date'],
  ['PlannedEndDate', 'date', 'g.planned_end_date'],
  ['Units', 'text', 'g.units'],
  ['Release', 'reference', reference('Release', 'release')],
  ['Iteration', 'reference', reference('Iteration', 'iteration')],
  ['TeamIteration', 'reference', reference('TeamIteration', 'sprint')],
  ['Team', 'reference', reference('Team', 'team')],
  ['Priority', 'reference', reference('Priority', 'priority', [['Importance', 'number', 'priority.importance']])],
  [
    'EntityState',
    'reference',
    reference('EntityState', 'state', [['NumericPriority', 'number', 'state.numeric_priority']]),
  ],
  ['ResponsibleTeam', 'reference', { kind: 'TeamAssignment', id: 'g.responsible_team_id', more: [] }],
  ['InitialEstimate', 'number', 'g.initial_estimate'],
  ['Feature', 'reference', reference('Feature', 'feature')],
  ['Build', 'reference', reference('Build', 'build')],
];

const joins = `join general project on project.id = g.project_id
  left join general_user editor on editor.id = g.last_editor_id
  left join general_user owner on owner.id = g.owner_id
  left join general_user commented on commented.id = g.last_commented_user_id
  left join general plan on plan.id = g.linked_test_plan_id
  left join general milestone on milestone.id = g.milestone_id
  left join general release on release.id = g.release_id
  left join general iteration on iteration.id = g.iteration_id
  left join general sprint on sprint.id = g.team_iteration_id
  left join general team on team.id = g.team_id
  left join priority on priority.id = g.priority_id
  left join entity_state state on state.id = g.entity_state_id
  left join general feature on feature.id = g.feature_id
  left join general build on build.id = g.build_id`;

const formats = { json, xml };

/** Rows of one column, `item`, for the stories that `condition` on `g` finds. */
export function selectStories(condition, { fields }, format = 'json') {
  const spell = formats[format];
  const story = spell.item('UserStory', 'UserStory', { id: 'g.id', name: 'g.name' }, [
    ...members.map((member) => spell.member(member)),
    spell.customFields(fields),
  ]);
  return `select ${story} as item from general g ${joins} where ${condition}`;
}

/** A page of the newest stories: they are found first, so that only a page is joined. */
export const newestStories = (take, facts, format) =>
  selectStories(
    `g.id = any(array(select id from general where entity_type_id = 4 and delete_date is null order by id desc limit ${take + 1}))
    order by g.id desc`,
    facts,
    format,
  );
