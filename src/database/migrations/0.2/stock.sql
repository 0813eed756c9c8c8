-- What every installation begins with: configuration whose ids are the same everywhere, and what hangs on it. It
-- comes before the triggers that record changes.

insert into entity_type (id, name, is_assignable, is_searchable, custom_field_scope, is_extendable, is_global,
    is_unit_in_hour_only)
  select id, name, is_assignable, is_assignable, scope, scope <> 'None', scope = 'Global', name in ('Task', 'Bug')
  from (values
    (1, 'Project', false, 'Process'),
    (2, 'Release', false, 'Process'),
    (3, 'Iteration', false, 'Process'),
    (4, 'UserStory', true, 'Process'),
    (5, 'Task', true, 'Process'),
    (6, 'User', false, 'Global'),
    (7, 'Time', false, 'Process'),
    (8, 'Bug', true, 'Process'),
    (9, 'Feature', true, 'Process'),
    (10, 'Program', false, 'Global'),
    (11, 'Build', false, 'Process'),
    (12, 'TestCase', false, 'Process'),
    (13, 'TestPlan', true, 'Process'),
    (14, 'TestPlanRun', true, 'Process'),
    (16, 'Impediment', false, 'Process'),
    (17, 'Request', true, 'Process'),
    (18, 'Requester', false, 'Global'),
    (19, 'Comment', false, 'None'),
    (20, 'Attachment', false, 'None'),
    (22, 'Company', false, 'None'),
    (23, 'Team', false, 'Global'),
    (24, 'TeamIteration', false, 'Global'),
    (25, 'TestStep', false, 'None'),
    (26, 'TestStepRun', false, 'None'),
    (27, 'Epic', true, 'Process'),
    (28, 'TestCaseRun', false, 'None'),
    (29, 'UserProjectAllocation', false, 'None'),
    (30, 'TeamProjectAllocation', false, 'None'),
    (31, 'PortfolioEpic', true, 'Process'),
    (32, 'Milestone', false, 'None')
  ) t(id, name, is_assignable, scope);

insert into role (id, name, has_effort) values
  (1, 'Developer', true),
  (2, 'Designer', true),
  (3, 'Business Analyst', false),
  (4, 'Scrum Master', false),
  (5, 'Product Owner', false),
  (6, 'Support Person', false),
  (7, 'Project Manager', false),
  (8, 'Top Manager', false),
  (9, 'QA Engineer', true);

insert into role_entity_type (role_id, entity_type_id)
  select r.id, t.id from role r cross join entity_type t order by r.id, t.id;

insert into priority (id, name, importance, entity_type_id, is_default) values
  (1, 'Must Have', 1, 4, false),
  (2, 'Great', 2, 4, false),
  (3, 'Good', 3, 4, false),
  (4, 'Average', 4, 4, false),
  (5, 'Nice To Have', 5, 4, false),
  (6, 'Fix ASAP', 1, 8, false),
  (7, 'Fix If Time', 2, 8, false),
  (8, 'Must Have', 1, 9, false),
  (9, 'Average', 3, 9, false),
  (10, 'Nice To Have', 4, 9, false),
  (11, '-', 1, 5, false),
  (12, '-', 1, 14, false),
  (13, 'Must Have', 1, 27, false),
  (14, 'Average', 3, 27, false),
  (15, 'Nice To Have', 4, 27, false),
  (16, '-', 1, 13, false),
  (17, 'Critical', 1, 16, false),
  (18, 'Moderate', 2, 16, false),
  (19, 'Small', 3, 16, false),
  (20, 'Urgent', 1, 17, false),
  (21, 'Normal', 2, 17, false),
  (22, 'High', 2, 12, false),
  (23, 'Highest', 1, 12, false),
  (24, 'Low', 4, 12, false),
  (25, 'Moderate', 3, 12, true),
  (26, 'Must Have', 1, 31, false),
  (27, 'Average', 3, 31, false),
  (28, 'Nice To Have', 4, 31, false);

insert into severity (id, name, importance) values
  (1, 'Blocking', 1),
  (2, 'Critical', 2),
  (3, 'Normal', 3),
  (4, 'Small', 4),
  (5, 'Enhancement', 5);

insert into request_type (id, name) values (1, 'Issue'), (2, 'Idea'), (3, 'Question');

insert into relation_type (id, name) values
  (1, 'Dependency'), (2, 'Blocker'), (3, 'Relation'), (4, 'Link'), (5, 'Duplicate');

insert into custom_rule (id, name, description) values
  (1, 'Start User Story when its Task starts',
    'When a task leaves its initial state, its user story leaves its own.'),
  (2, 'Close User Story when all its Tasks are closed',
    'When the last open task of a user story reaches a final state, so does the user story.');

insert into process (id, name, is_default) values (1, 'All Practices', false), (2, 'Kanban', false), (3, 'Scrum', true);

-- The settings of a practice are shown with the context.
insert into practice (id, name, display_name, description, settings) values
  (1, 'Planning', 'Planning', 'Effort and velocity',
    '{"EffortPoints": "Point", "IsStoryEffortEqualsSumTasksEffort": true}'),
  (2, 'Time Tracking', 'Time Tracking', 'Time spent and remaining',
    '{"IsCloseAssignableIfZeroTimeRemaining": false, "IsTimeDescriptionFieldVisible": true,
      "IsTimeDescriptionRequired": false, "IsRequiredShowRoleDropDown": false}'),
  (3, 'Bug Tracking', 'Bug Tracking', 'Bugs and their severity', '{}'),
  (4, 'Requirements', 'Requirements', 'Epics, features and stories', '{}'),
  (5, 'Test Cases', 'Test Cases', 'Test cases, plans and runs', '{}'),
  (6, 'Source Control', 'Source Control', 'Revisions', '{}'),
  (7, 'Help Desk', 'Help Desk', 'Requests of people outside', '{}'),
  (8, 'Iterations', 'Iterations', 'Work in iterations', '{}');

-- Every process uses all practices but these.
insert into process_practice (process_id, practice_id)
  select s.id, p.id from process s cross join practice p
  where not (s.name = 'Kanban' and p.name in ('Time Tracking', 'Iterations'))
    and not (s.name <> 'All Practices' and p.name = 'Source Control');

-- Each kind has one workflow in each process. The states of Scrum have well-known ids from 46 on; those of the other
-- processes lie around them.
with
  stock_workflow (at, entity_type_id) as (values
    (0, 4), (1, 5), (2, 8), (3, 9), (4, 14), (5, 16), (6, 17), (7, 27), (8, 31), (9, 13), (10, 1)),
  added as (
    insert into workflow (id, name, process_id, entity_type_id)
      select p.id * 100 + w.at, p.name || ' workflow', p.id, w.entity_type_id from process p cross join stock_workflow w
      returning id, process_id, entity_type_id),
  first_state (process_id, id) as (values (1, 101), (2, 201), (3, 46)),
  stock_state (at, entity_type_id, name, role_id, is_initial, is_final) as (values
    (0, 4, 'Open', 1, true, false),
    (1, 4, 'In Progress', 1, false, false),
    (2, 4, 'In Testing', 9, false, false),
    (3, 4, 'Done', null, false, true),
    (4, 5, 'Open', 1, true, false),
    (5, 5, 'In Progress', 1, false, false),
    (6, 5, 'Done', null, false, true),
    (7, 8, 'Open', 1, true, false),
    (8, 8, 'In Progress', 1, false, false),
    (9, 8, 'In Testing', 9, false, false),
    (10, 8, 'Done', null, false, true),
    (11, 9, 'New', 5, true, false),
    (12, 9, 'In Progress', 1, false, false),
    (13, 9, 'Done', null, false, true),
    (14, 14, 'Open', 9, true, false),
    (15, 14, 'Done', null, false, true),
    (16, 16, 'Open', 7, true, false),
    (17, 16, 'Resolved', null, false, true),
    (18, 17, 'New', 6, true, false),
    (19, 17, 'Active', 6, false, false),
    (20, 17, 'Closed', null, false, true),
    (21, 27, 'New', 5, true, false),
    (22, 27, 'In Progress', 1, false, false),
    (23, 27, 'Done', null, false, true),
    (24, 31, 'New', 5, true, false),
    (25, 31, 'In Progress', 1, false, false),
    (26, 31, 'Done', null, false, true),
    (27, 13, 'Open', 9, true, false),
    (28, 13, 'Done', null, false, true),
    (29, 1, 'Planned', 7, true, false),
    (30, 1, 'In Progress', 7, false, false),
    (31, 1, 'Done', null, false, true))
insert into entity_state (id, numeric_priority, name, role_id, is_initial, is_final, is_default_final, workflow_id,
    entity_type_id, process_id)
  select f.id + s.at, f.id + s.at, s.name, s.role_id, s.is_initial, s.is_final, s.is_final, w.id,
    w.entity_type_id, w.process_id
  from added w
    join first_state f on f.process_id = w.process_id
    join stock_state s on s.entity_type_id = w.entity_type_id;

-- Every state leads to every other.
insert into entity_state_step (from_id, to_id)
  select s.id, n.id from entity_state s join entity_state n on n.workflow_id = s.workflow_id and n.id <> s.id;

-- What each process calls its kinds.
insert into term (word_key, value, process_id, entity_type_id)
  select t.name,
    case
      when p.name = 'Kanban' and t.name = 'UserStory' then 'Card'
      when p.name = 'Kanban' and t.name = 'Epic' then 'Initiative'
      when p.name = 'Scrum' and t.name = 'Iteration' then 'Sprint'
      when t.name = 'UserStory' then 'User Story'
      else t.name end,
    p.id, t.id
  from process p cross join entity_type t
  where t.name in ('UserStory', 'Task', 'Bug', 'Feature', 'Epic', 'Iteration', 'Release', 'Request')
  order by p.id, array_position(array[4, 5, 8, 9, 27, 3, 2, 17], t.id);

-- Id 1 is kept for the first administrator, who comes with the first start.
insert into general_user (id, kind, first_name, login, is_active, is_administrator, create_date, modify_date)
  values (2, 'SystemUser', 'System', 'System', true, true, now(), now());

insert into global_settings (id) values (1);

insert into setting (name, value) values ('token-secret', to_jsonb(encode(
  sha256((gen_random_uuid()::text || gen_random_uuid()::text || clock_timestamp()::text)::bytea), 'hex')));

-- The oldest version that this schema serves is the one that knows this very migration.
insert into schema_compatibility (oldest) values ('Baseline1700000000100');

-- Ids that are given out go on behind those that were chosen here.
do $$
  declare numbered text;
  begin
    foreach numbered in array array['role', 'process', 'priority', 'severity', 'request_type', 'relation_type',
      'practice', 'workflow', 'entity_state', 'general_user']
    loop
      execute format('select setval(pg_get_serial_sequence(%1$L, ''id''), (select max(id) from %1$I))', numbered);
    end loop;
  end $$;
