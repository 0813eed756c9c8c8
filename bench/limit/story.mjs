/** A story with its default fields as one hand-written text expression over joins, for statements that read stories. */

const text = (column) => `coalesce(to_json(${column})::text, 'null')`;
const number = (column) => `coalesce(${column}::text, 'null')`;
const date = (column) =>
  `coalesce('"\\/Date(' || (extract(epoch from ${column}) * 1000)::bigint || '+0000)\\/"', 'null')`;

/** Null as a whole, and so `null`, when the joined row is not there. */
const reference = (kind, alias) =>
  `coalesce('{"ResourceType":"${kind}","Id":' || ${alias}.id || ',"Name":' || to_json(${alias}.name) || '}', 'null')`;
const person = (alias) =>
  `coalesce('{"ResourceType":"GeneralUser","Id":' || ${alias}.id || ',"FirstName":' || ${text(`${alias}.first_name`)}
    || ',"LastName":' || ${text(`${alias}.last_name`)} || ',"Login":' || ${text(`${alias}.login`)}
    || ',"FullName":' || to_json(concat_ws(' ', ${alias}.first_name, ${alias}.last_name)) || '}', 'null')`;

const members = [
  ['Id', 'g.id'],
  ['Name', text('g.name')],
  ['Description', text('g.description')],
  ['StartDate', date('g.start_date')],
  ['EndDate', date('g.end_date')],
  ['CreateDate', date('g.create_date')],
  ['ModifyDate', date('g.modify_date')],
  ['LastCommentDate', date('g.last_comment_date')],
  [
    'Tags',
    `to_json(coalesce((select string_agg(t.name, ', ' order by lower(t.name)) from general_tag l join tag t on t.id = l.tag_id
      where l.general_id = g.id), ''))`,
  ],
  ['NumericPriority', 'g.numeric_priority'],
  ['EntityVersion', 'g.entity_version'],
  ['EntityType', `'{"ResourceType":"EntityType","Id":4,"Name":"UserStory"}'`],
  ['LastEditor', person('editor')],
  ['Owner', person('owner')],
  ['Creator', person('owner')],
  ['LastCommentedUser', person('commented')],
  [
    'Project',
    `'{"ResourceType":"Project","Id":' || project.id || ',"Name":' || to_json(project.name)
      || ',"Process":{"ResourceType":"Process","Id":' || project.process_id || '}}'`,
  ],
  ['LinkedTestPlan', reference('TestPlan', 'plan')],
  ['Milestone', reference('Milestone', 'milestone')],
  ['Effort', number('g.effort')],
  ['EffortCompleted', number('g.effort_completed')],
  ['EffortToDo', number('g.effort_to_do')],
  ['Progress', number('g.progress')],
  ['TimeSpent', number('g.time_spent')],
  ['TimeRemain', number('g.time_remain')],
  ['LastStateChangeDate', date('g.last_state_change_date')],
  ['PlannedStartDate', date('g.planned_start_date')],
  ['PlannedEndDate', date('g.planned_end_date')],
  ['Units', text('g.units')],
  ['Release', reference('Release', 'release')],
  ['Iteration', reference('Iteration', 'iteration')],
  ['TeamIteration', reference('TeamIteration', 'sprint')],
  ['Team', reference('Team', 'team')],
  [
    'Priority',
    `coalesce('{"ResourceType":"Priority","Id":' || priority.id || ',"Name":' || to_json(priority.name)
      || ',"Importance":' || priority.importance || '}', 'null')`,
  ],
  [
    'EntityState',
    `coalesce('{"ResourceType":"EntityState","Id":' || state.id || ',"Name":' || to_json(state.name)
      || ',"NumericPriority":' || state.numeric_priority || '}', 'null')`,
  ],
  ['ResponsibleTeam', `coalesce('{"ResourceType":"TeamAssignment","Id":' || g.responsible_team_id || '}', 'null')`],
  ['InitialEstimate', number('g.initial_estimate')],
  ['Feature', reference('Feature', 'feature')],
  ['Build', reference('Build', 'build')],
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

const field = ({ name, type }) =>
  `'{"Name":${quoted(name)},"Type":"${type}","Value":' || coalesce(g.custom_values -> ${literal(name)}, 'null') || '}'`;
const quoted = (name) => JSON.stringify(name).replaceAll("'", "''");
const literal = (name) => `'${name.replaceAll("'", "''")}'`;

/** Rows of one column, `item`, for the stories that `condition` on `g` finds. */
export function selectStories(condition, { fields }) {
  const spelled = members.map(([name, value]) => `',"${name}":' || ${value}`);
  const custom = fields.map(field).join(` || ',' || `) || `''`;
  return `select '{"ResourceType":"UserStory"' || ${spelled.join('\n || ')}
    || ',"CustomFields":[' || ${custom} || ']}' as item from general g ${joins} where ${condition}`;
}
