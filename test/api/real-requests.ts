/**
 * Requests that clients of this API send. Names in braces stand for ids of the demonstration data. `where` is what the
 * filter means, as a condition on the rows; `rows` a whole query for the ids; without them every row is meant.
 */
export interface RealRequest {
  get: string;
  status?: number;
  where?: string;
  rows?: string;
}

export const realRequests: RealRequest[] = [
  { get: '/api/v1/userStories/{story}/?format=json' },
  {
    get: "/api/v1/UserStories/?format=json&take=100&where=Release.Name eq '{releaseName}'&include=[Name, Id]",
    where: "release_id in (select id from general where name = '{releaseName}' and delete_date is null)",
  },
  {
    get: "/api/v1/Features/?format=json&take=100&where=Release.Name eq '{releaseName}'&include=[Name, Id]",
    where: "release_id in (select id from general where name = '{releaseName}' and delete_date is null)",
  },
  {
    get: "/api/v1/Bugs/?format=json&take=300&where=Release.Name eq '{releaseName}' and EntityState.Name ne 'Closed' and EntityState.Name ne 'Done' and EntityState.Name ne 'Passed Dev01  QA' and EntityState.Name ne 'Ready to Deploy to prod'&include=[Name, Description, Id]",
    where:
      "release_id in (select id from general where name = '{releaseName}' and delete_date is null) and entity_state_id not in (select id from entity_state where name in ('Closed','Done'))",
  },
  {
    get: "/api/v1/UserStories/?format=json&take=25&skip=0&where=Name contains 'filter'",
    where: "name ilike '%filter%'",
  },
  { get: '/api/v1/bugs/{bug}/?format=json' },
  { get: '/api/v1/Users/?format=json' },
  { get: '/api/v1/Bugs/{bug}/Comments/?format=json&take=25', rows: 'select id from comment where general_id = {bug}' },
  {
    get: '/api/v1/Features/?format=json&where=Epic.Id eq {epic}&include=[Id,Name,Description,EntityState[Name],Team[Name],Release[Name],Progress,Effort]&take=100',
    where: 'epic_id = {epic}',
  },
  {
    get: '/api/v1/testPlans/{testPlan}/testcases/?format=json&take=100&skip=0',
    rows: 'select test_case_id id from test_plan_test_case where test_plan_id = {testPlan}',
  },
  {
    get: '/api/v1/testPlans/{testPlan}/testcases/?format=json&take=100&skip=0',
    rows: 'select test_case_id id from test_plan_test_case where test_plan_id = {testPlan}',
  },
  {
    get: '/api/v1/testCases/{testCase}/teststeps/?format=json',
    rows: 'select id from test_step where test_case_id = {testCase}',
  },
  {
    get: '/api/v1/testCases/{testCase}/teststeps/?format=json',
    rows: 'select id from test_step where test_case_id = {testCase}',
  },
  {
    get: '/api/v1/Features/{feature}/Comments/?format=json&take=25',
    rows: 'select id from comment where general_id = {feature}',
  },
  { get: '/api/v1/Projects/?format=json' },
  { get: '/api/v1/TeamAssignments/?format=json' },
  { get: '/api/v1/Context/?format=json' },
  {
    get: '/api/v1/Relations/?format=json&where=Master.Id eq {related}&include=[Id,RelationType[Name],Master[Id,Name,EntityType],Slave[Id,Name,EntityType]]&take=100',
    where: 'master_id = {related}',
  },
  { get: '/api/v1/RelationTypes/?format=json&include=[Id,Name]&take=100' },
  {
    get: "/api/v1/Bugs/?format=json&where=(EntityState.Name eq 'In Progress') and (AssignedUser.Id eq {user})&include=[Id,Name,EntityState[Name],UserStory[Id,Name,Feature[Id,Name]]]&orderByDesc=ModifyDate",
    where:
      "entity_state_id in (select id from entity_state where name in ('In Progress')) and id in (select assignable_id from assignment where general_user_id = {user})",
  },
  {
    get: '/api/v1/UserStories/?format=json&where=AssignedUser.Id eq {user}&include=[Id,Name,EntityState[Name],Effort,Project[Name],Feature[Id,Name],CreateDate,ModifyDate]&orderByDesc=ModifyDate&take=25&skip=0',
    where: 'id in (select assignable_id from assignment where general_user_id = {user})',
  },
  {
    get: '/api/v1/Times/?format=json&where=User.Id eq {user}&include=[Id,Spent,Date,Description,Assignable[Id,Name,ResourceType]]&orderByDesc=Date&take=25',
    where: 'user_id = {user}',
  },
  {
    get: "/api/v1/Bugs/?format=json&take=100&where=Release.Name eq '{releaseName}'&include=[Name, Id]",
    where: "release_id in (select id from general where name = '{releaseName}' and delete_date is null)",
  },
  {
    get: "/api/v1/UserStories/?format=json&take=50&where=Release.Name eq '{releaseName}'&include=[Name, Description, Id]",
    where: "release_id in (select id from general where name = '{releaseName}' and delete_date is null)",
  },
  {
    get: "/api/v1/UserStories/?format=json&take=100&where=Release.Name eq '{releaseName}' and EntityState.Name ne 'Closed' and EntityState.Name ne 'Done' and EntityState.Name ne 'Passed Dev01  QA' and EntityState.Name ne 'Ready to Deploy to prod'&include=[Name, Description, Id]",
    where:
      "release_id in (select id from general where name = '{releaseName}' and delete_date is null) and entity_state_id not in (select id from entity_state where name in ('Closed','Done'))",
  },
  {
    get: "/api/v1/UserStories/?where=Description contains 'text' and EntityState.Name eq 'Done'&format=json&take=50",
    where: "description ilike '%text%' and entity_state_id in (select id from entity_state where name in ('Done'))",
  },
  {
    get: '/api/v1/General/{story}?format=json&include=[Id,Name,Description,EntityType,EntityState,Project,Team,AssignedUser,Owner,Release,Iteration,Feature,Tags,CreateDate,ModifyDate,NumericPriority]',
  },
  {
    get: '/api/v1/Comments?format=json&where=General.Id eq {commented}&include=[Id,Description,CreateDate,Owner]&take=25&orderByDesc=CreateDate',
    where: 'general_id = {commented}',
  },
  { get: '/Attachment.aspx?AttachmentID={file}' },
  {
    get: '/api/v1/UserStories?format=json&where=Release.Id eq {release}&include=[Id,Name,EntityState,AssignedUser]&take=100',
    where: 'release_id = {release}',
  },
  { get: '/api/v1/Teams?format=json&include=[Id,Name]&take=50' },
  { get: '/api/v1/EntityTypes?format=json&take=100&skip=0' },
  { get: '/api/v1/Programs?format=json&take=20' },
  { get: '/api/v1/UserStorys?format=json&take=25' },
  { get: '/api/v1/UserStorys?format=json&take=1' },
  { get: '/api/v1/Bugs?format=json&take=1' },
  { get: '/api/v1/Features?format=json&take=1' },
  { get: '/api/v1/Iterations?format=json&take=1' },
  { get: '/api/v1/Teams?format=json&take=1' },
  { get: '/api/v1/Releases?format=json&take=1' },
  { get: '/api/v1/TestCases?format=json&take=1' },
  { get: '/api/v1/TestPlans?format=json&take=1' },
  {
    get: '/api/v1/Relations?format=json&where=(Master.Id eq {related}) or (Slave.Id eq {related})&include=[Master,Slave,RelationType]&take=100',
    where: '(master_id = {related} or slave_id = {related})',
  },
  {
    get: '/api/v1/RoleEfforts?format=json&where=Assignable.Id eq {story}&include=[Role,Assignable]&take=100',
    where: 'assignable_id = {story}',
  },
  { get: '/api/v1/Tasks' },
  {
    get: '/api/v1/UserStories/?take=2&skip=1&where=(Id gt 1)&orderbydesc=Id&include=[Id,Name]&append=[Tasks-Count]',
    where: 'id > 1',
  },
  { get: '/api/v1/Tasks/{task}?' },
  {
    get: "/api/v1/EntityStates?where=Name eq 'Done' and Process.Id eq 3 and EntityType.Name eq 'Task'",
    where: "name = 'Done' and process_id = 3 and entity_type_id = 5",
  },
  { get: '/api/v1/UserStories/{story}?include=[Tasks,Bugs]&format=json' },
  { get: '/api/v1/TeamMembers/?take=20&where=Team.Id eq {team}&format=json', where: 'team_id = {team}' },
  { get: '/api/v1/Projects/?format=json&orderByDesc=id&take=1' },
  { get: '/api/v1/Projects/?format=json&where=CreateDate lt "{today}"', where: "create_date < '{today}'" },
  { get: '/api/v1/entitytypes?format=json&orderby=id&skip=4&take=2' },
  {
    get: '/api/v1/UserStories/{story}/Tasks?format=json',
    rows: 'select id from general where entity_type_id = 5 and delete_date is null and user_story_id = {story}',
  },
  { get: '/api/v1/Projects//meta?format=json' },
  { get: '/api/v1/context/?format=json&ids=7' },
  { get: '/api/v1/Times?where=createdate lt "{today}"&format=json', where: "create_date < '{today}'" },
  { get: '/api/v1/Projects/?format=json&where=asdad asd asda', status: 400 },
  { get: '/api/v1/Projects/asd?format=json', status: 400 },
  { get: '/api/v1/foobars/?format=json', status: 404 },
  { get: '/api/v1/UserStory?format=json&take=10' },
  { get: '/api/v1/Time?format=json&include=[Id,Date,Spent,Assignable,User]&take=1' },
  { get: "/api/v1/Priority?format=json&take=25&where=EntityType.Name eq 'UserStory'", where: 'entity_type_id = 4' },
  { get: '/api/v1/EntityState/46?format=json&include=[Workflow]' },
  { get: '/api/v1/EntityType?format=json&include=[Id,Name,IsAssignable,IsExtendable]&take=25' },
  {
    get: "/api/v1/CustomField?format=json&include=[Id,Name,FieldType,EntityType,Process]&take=25&where=(Process.Id eq 2) and (EntityType.Name eq 'UserStory')",
    where: 'process_id = 2 and entity_type_id = 4',
  },
  { get: '/api/v1/ProjectMember?format=json&take=25&where=Project.Id eq {project}', where: 'project_id = {project}' },
  {
    get: '/api/v1/Relation?format=json&include=[Inbound,Outbound,RelationType]&take=5&where=Outbound.Id eq {slave}',
    where: 'slave_id = {slave}',
  },
  { get: '/api/v1/Attachment/{file}?format=json&include=[Uri,MimeType,Size]' },
  { get: '/api/v1/Users/LoggedUser?format=json' },
  { get: '/api/v1/Comments?format=json&take=2' },
  { get: '/api/v1/RelationType?format=json&take=25' },
  {
    get: "/api/v1/UserStories?where=(EntityState.Name eq 'In Progress') and (Effort gt 0)&format=json",
    where: "entity_state_id in (select id from entity_state where name in ('In Progress')) and effort > 0",
  },
  { get: '/api/v1/TeamIterations?where=Team.Id eq {team}&format=json', where: 'team_id = {team}' },
  { get: '/api/v1/Terms?where=Process.Id eq 2&format=json', where: 'process_id = 2' },
  {
    get: '/api/v1/Assignables.asmx?take=1000&where=id in ({story},{bug})&include=[CustomFields]&format=json',
    where: 'id in ({story}, {bug})',
  },
  {
    get: "/api/v1/Iterations?include=[Name,Id,EndDate,Project[Id],Release[Id]]&where=(EndDate in ('tomorrow','today'))",
    where: "end_date in (date_trunc('day', now()), date_trunc('day', now()) + interval '1 day')",
  },
  {
    get: "/api/v1/Users?take=1000&format=json&where=(IsActive eq 'true') and (DeleteDate is null)&callback=cb",
    where: 'is_active',
  },
  {
    get: "/api/v1/userstories?take=1000&where=(EntityState.Name eq 'Done') and (EndDate gt '2012-01-01')&include=[Name,EndDate,Project[Id,Name]]&format=json&callback=cb",
    where: "entity_state_id in (select id from entity_state where name in ('Done')) and end_date > '2012-01-01'",
  },
  {
    get: '/api/v1/UserStories/{story}?include=[Description,Comments,Times,Impediments,Tasks,Bugs,TestCases,Attachments]',
  },
  { get: '/api/v1/UserStories/{story}?format=json&append=[TestCases-Count]&include=[TestCases[LastStatus]]' },
  {
    get: "/api/v1/processes/3/entitystates?where=(IsFinal eq 1)and(EntityType.Name eq 'Request')&include=[Id]&resultFormat=json",
    rows: 'select id from entity_state where process_id = 3 and is_final and entity_type_id = 17',
  },
  { get: '/api/v1/Generals/{story}?include=[EntityType]&format=json' },
  { get: '/api/v1/UserStories/{story}?include=[Comments]&format=json' },
  {
    get: '/api/v1/Features?where=(Id gte 300) and (Id lte 900)&take=1000&append=[Comments-Count, MasterRelations-Count, SlaveRelations-Count, Attachments-Count]&format=json',
    where: 'id between 300 and 900',
  },
  { get: '/api/v1/TeamProjects?take=1000&append=[Workflows-Count, Allocations-Count]&format=json' },
  {
    get: '/api/v1/UserStories/{story}/Comments?format=json',
    rows: 'select id from comment where general_id = {story}',
  },
  { get: "/api/v1/UserStories?where=CreateDate gt '24-Oct-2015'&format=json", where: "create_date > '2015-10-24'" },
  { get: '/api/v1/Features?where=(Id gte 1) and (Id lte 9)&append=[Notexisting-field]&format=json', status: 400 },
  { get: '/api/v1/TestPlanRuns?resultInclude=[Id,TestCaseRuns[Id,TestCase[Id]]]' },
  { get: '/api/v1/CustomFields?format=json&where=Process.Id eq 3&take=1000', where: 'process_id = 3' },
  {
    get: '/api/v1/Comments?where=General.Id eq {commented}&take=25&include=[Description,CreateDate,Owner]&orderByDesc=CreateDate',
    where: 'general_id = {commented}',
  },
  {
    get: "/api/v1/EntityStates?where=EntityType.Name eq 'UserStory' and Process.Id eq 3 and Name eq 'Done'&take=1",
    where: "entity_type_id = 4 and process_id = 3 and name = 'Done'",
  },
  { get: '/api/v1/Users/LoggedUser?include=[Id,FirstName,LastName,Email,Login,IsActive,IsAdministrator]' },
  {
    get: "/api/v1/UserStories?where=Project.Id eq {project} and EntityState.Name eq 'Open'&take=25",
    where: "project_id = {project} and entity_state_id in (select id from entity_state where name in ('Open'))",
  },
  {
    get: '/api/v1/UserStorys?format=json&take=25&where=EntityState.Name ne "Done" and EntityState.Name ne "Closed"',
    where: "entity_state_id not in (select id from entity_state where name in ('Done','Closed'))",
  },
  {
    get: '/api/v1/UserStorys?format=json&take=25&where=AssignedUser is null',
    where: 'id not in (select assignable_id from assignment)',
  },
  {
    get: '/api/v1/UserStorys?format=json&take=25&where=CreateDate gte {day} and CreateDate lt {nextDay}',
    where: "create_date >= '{day}' and create_date < '{nextDay}'",
  },
  {
    get: '/api/v1/userstories?where=Project.Id in ({project},{project2})',
    where: 'project_id in ({project}, {project2})',
  },
  { get: '/api/v1/UserStories/?include=[Name, Effort, Description]&take=25&skip=25' },
  { get: '/api/v1/UserStories/?include=[Name]&append=[Bugs-Count,Tasks-Count]&take=25&skip=25' },
  { get: '/api/v1/requests?include=[name,requesters]&take=500&innerTake=1000' },
  {
    get: "/api/v1/Bugs?where=(CreateDate gt '2011-01-01')and(EndDate lt '2011-02-01')",
    where: "create_date > '2011-01-01' and end_date < '2011-02-01'",
  },
  {
    get: "/api/v1/UserStories?where=('CustomFields.Release Notes' is not null)",
    where: "custom_values ->> 'Release Notes' is not null",
  },
  {
    get: '/api/v1/userstories?where=(Tags contains "\'two words\'")',
    where: "id in (select general_id from general_tag join tag on tag.id = tag_id where name = 'two words')",
  },
  { get: '/api/v1/Bugs?orderByDesc=CreateDate' },
  { get: '/api/v1/UserStories/?include=[CustomFields]' },
  { get: '/api/v1/UserStories/?include=[Tasks[Name,Description,Effort]]' },
  { get: '/api/v1/Epics/?include=[Features[UserStories[Tasks]]]', status: 400 },
  {
    get: '/api/v1/UserStories/{story}/Assignments?include=[Role[Name],GeneralUser[FirstName,LastName]]',
    rows: 'select id from assignment where assignable_id = {story}',
  },
  { get: '/api/v1/UserStories?append=[Bugs-Count,Tasks-Count]' },
  { get: '/api/v1/Features?include=[Bugs-Effort-Sum]&take=1000' },
  { get: '/api/v1/Tags?include=[Generals-Count]&take=1000' },
  { get: '/api/v1/Projects?include=[UserStories-TimeSpent-Avg]&take=1000' },
  { get: '/api/v1/GeneralConversions?where=FromGeneralID eq 900001', where: 'from_general_id = 900001' },
  { get: '/api/v1/EntityPermissions?where=EntityId eq {permitted}', where: 'general_id = {permitted}' },
  { get: '/api/v1/EntityPermissions?where=View eq "True"', where: 'view' },
  {
    get: '/api/v1/projects?include=[id,EntityState]&where=(EntityState.Name in ("Planned","In Progress"))',
    where: "entity_state_id in (select id from entity_state where name in ('Planned','In Progress'))",
  },
  {
    get: '/api/v1/TeamAssignments?where=(Team.Name eq "Alpha") and (Assignable.EntityType.Name eq "Feature")&include=[Assignable[ID,Name,AssignedTeams[Team]]]',
    where:
      "team_id in (select id from general where name = 'Alpha' and entity_type_id = 23) and assignable_id in (select id from general where entity_type_id = 9 and delete_date is null)",
  },
  {
    get: '/api/v1/Users?where=(IsActive eq "true") and (LastLoginDate eq "null") and (CreateDate lt "2100-01-17")&take=1000',
    where: "is_active and last_login_date is null and create_date < '2100-01-17'",
  },
  { get: '/api/v1/Roles?include=[Id,Name]&take=1000' },
  { get: '/api/v1/UserStories/{story}?include=[Assignments[GeneralUser,Role]]' },
  { get: '/api/v1/Releases?include=[Name,Projects]' },
  { get: '/api/v1/Projects/?include=[Name,Releases]' },
  { get: '/api/v1/Releases/?include=[Id,Name]&append=[TeamIterations-Count]' },
  { get: '/api/v1/TestCases/?include=[ID,Name,Description,TestSteps[Description,Result,RunOrder],Project]' },
  { get: '/api/v1/TestCases/{testCase}?include=[TestPlans[ID,Name,LinkedAssignable[Id,EntityType,Name,Project]]]' },
  { get: '/api/v1/UserStories/{story}?include=[LinkedTestPlan[TestCases,ParentTestPlans,ChildTestPlans]]' },
  {
    get: '/api/v1/EntityStates?include=[Id,Name]&where=(EntityType.Name eq "TestPlanRun") and (Workflow.Process.ID eq "2")&format=json',
    where: 'entity_type_id = 14 and process_id = 2',
  },
  {
    get: "/api/v1/TestPlanRuns/?include=[ModifyDate,PassedCount,FailedCount,BlockedCount,OnHoldCount,NotRunCount]&where=(IsLastStarted eq 'True') and (TestPlan.Id eq {testPlan})",
    where: 'test_plan_id = {testPlan} and id = (select max(id) from general where test_plan_id = {testPlan})',
  },
  {
    get: '/api/v1/TestPlanRuns/{foundRun}?include=[TestPlan[LinkedAssignable],IsLastStarted,ModifyDate,PassedCount,FailedCount,BlockedCount,OnHoldCount,NotRunCount,Bugs]',
  },
  {
    get: '/api/v1/Bugs/?include=[TestPlanRuns[TestPlan]]&where=(TestPlanRuns.TestPlan.Id eq {foundPlan})',
    where:
      'id in (select bug_id from test_plan_run_bug join general run on run.id = test_plan_run_id where run.test_plan_id = {foundPlan})',
  },
  {
    get: '/api/v1/UserStories?include=[Id,Name,Description,EntityState,Bugs[Id,Name,Description,CreateDate,EntityState]]',
  },
  { get: "/api/v1/Times?where=Description contains 'refactoring'", where: "description ilike '%refactoring%'" },
  {
    get: "/api/v1/Times?where=User.LastName eq 'Brown'",
    where: "user_id in (select id from general_user where last_name = 'Brown')",
  },
  { get: "/api/v1/Times?where=Assignable.Id eq '{worked}'", where: 'assignable_id = {worked}' },
  { get: '/api/v1/Times?orderBy=CreateDate' },
  { get: '/api/v1/UserStories?include=[Id,Name,Effort,EffortCompleted,EffortToDo,TimeSpent,TimeRemain]' },
  { get: '/api/v1/UserStorySimpleHistories?where=(Modifier.Id eq {user})&take=1000', where: 'modifier_id = {user}' },
  { get: "/api/v1/BugSimpleHistories?where=(Date gt '2016-09-30')&take=1000", where: "date > '2016-09-30'" },
  {
    get: "/api/v1/Bugs/{bug}/History?where=(Date lte '{today}')&orderbyDesc=Date&take=1&include=[EntityState]",
    rows: "select id from simple_history where general_id = {bug} and date <= '{today}' order by date desc limit 1",
  },
  {
    get: "/api/v1/BugHistories?where=(CurrentBug.Id eq {bug})and(Date lte '{today}')&orderbyDesc=Date&take=1&include=[EntityState]",
    where: "general_id = {bug} and date <= '{today}'",
  },
  {
    get: '/api/v1/UserStoryHistories?include=[Date,EntityState,Modifier]&where=(Project.ID eq {project})&take=1000',
    where: 'project_id = {project}',
  },
  { get: "/api/v1/UserStoryHistories?where=(Date gt '2019-01-01')&take=1000", where: "date > '2019-01-01'" },
  {
    get: '/api/v1/generalconversions/?where=(FromGeneralID eq 900001)&include=[ActualGeneral[id]]',
    where: 'from_general_id = 900001',
  },
  { get: '/api/v1/Users/LoggedUser?include=[Id]&format=json' },
  { get: '/api/v1/tasks?include=[Id,Name,UserStory]&take=1000' },
  {
    get: "/api/v1/userstories?where=(EndDate gte '2017-01-01')and(EndDate lte '2017-01-31')&take=1000",
    where: "end_date between '2017-01-01' and '2017-01-31'",
  },
  {
    get: "/api/v1/userstories?where=(Release.IsCurrent eq 'true')&take=1000",
    where: 'release_id in (select id from general where delete_date is null and now() between start_date and end_date)',
  },
  { get: '/api/v1/userstories/{story}?include=[EntityState[NextStates]]' },
  { get: '/api/v1/features/{feature}?include=[Project]' },
  {
    get: "/api/v1/comments?where=(General.EntityType.Name eq 'Bug')&include=[Id,Name,General]&take=1000",
    where: 'general_id in (select id from general where entity_type_id = 8 and delete_date is null)',
  },
  {
    get: "/api/v1/bugs?where=(EndDate gte '2017-01-01')and(EndDate lte '2017-01-31')&take=1000",
    where: "end_date between '2017-01-01' and '2017-01-31'",
  },
  {
    get: "/api/v1/bugs?where=(Release.IsCurrent eq 'true')&take=1000",
    where: 'release_id in (select id from general where delete_date is null and now() between start_date and end_date)',
  },
  { get: '/api/v1/bugs/{bug}?include=[EntityState[NextStates]]' },
  { get: '/api/v1/features?include=[Id,Name,Epic]&take=1000' },
  {
    get: "/api/v1/epics?where=(EndDate gte '2017-01-01')and(EndDate lte '2017-01-31')&take=1000",
    where: "end_date between '2017-01-01' and '2017-01-31'",
  },
  {
    get: '/api/v1/epics?where=(Owner.Id eq {user})&include=[Id,Name,CreateDate,StartDate,EndDate,EntityState]&take=1000',
    where: 'owner_id = {user}',
  },
  { get: '/api/v1/epics/{epic}?include=[Project]' },
  { get: '/api/v1/userstories?include=[Id,Name,Feature]&take=1000' },
  {
    get: "/api/v1/features?where=(EndDate gte '2017-01-01')and(EndDate lte '2017-01-31')&take=1000",
    where: "end_date between '2017-01-01' and '2017-01-31'",
  },
  {
    get: '/api/v1/features?where=(Owner.Id eq {user})&include=[Id,Name,CreateDate,StartDate,EndDate,EntityState]&take=1000',
    where: 'owner_id = {user}',
  },
  { get: '/api/v1/tasks?include=[Id,Name,Comments]&take=100&innertake=1000' },
  {
    get: "/api/v1/tasks?where=(CreateDate gte '2017-01-01')and(CreateDate lte '2017-01-31')&take=1000",
    where: "create_date between '2017-01-01' and '2017-01-31'",
  },
  {
    get: "/api/v1/tasks?where=(Iteration.IsCurrent eq 'true')&take=1000",
    where:
      'iteration_id in (select id from general where delete_date is null and now() between start_date and end_date)',
  },
  {
    get: '/api/v1/tasks?where=(Owner.Id eq {user})&include=[Id,Name,CreateDate,StartDate,EndDate,EntityState]&take=1000',
    where: 'owner_id = {user}',
  },
  { get: '/api/v1/requesters?include=[FirstName,LastName,Comments[CreateDate,Description]]&take=100&innertake=1000' },
  {
    get: "/api/v1/requesters?where=(CreateDate gte '2017-01-01')and(CreateDate lte '2017-01-31')&take=1000",
    where: "create_date between '2017-01-01' and '2017-01-31'",
  },
  { get: '/api/v1/users?include= [FirstName,LastName,Comments[CreateDate,Description]]&take=100&innertake=1000' },
  {
    get: '/api/v1/users?where=(DeleteDate is not null)&take=1000',
    rows: "select id from general_user where kind = 'User' and delete_date is not null",
  },
  {
    get: "/api/v1/users?where=(CreateDate gte '2017-01-01')and(CreateDate lte '2017-01-31')&take=1000",
    where: "create_date between '2017-01-01' and '2017-01-31'",
  },
  {
    get: "/api/v1/users?where=(LastLoginDate lte '{today}')&include=[Email,IsActive,LastLoginDate]",
    where: "last_login_date <= '{today}'",
  },
  { get: '/api/v1/assignables?include=[Id,Name,Assignments[GeneralUser,Role]]&take=100&innertake=1000' },
  {
    get: "/api/v1/assignables?where=(CreateDate gte '2017-01-01')and(CreateDate lte '2017-01-31')&take=1000",
    where: "create_date between '2017-01-01' and '2017-01-31'",
  },
  {
    get: "/api/v1/assignables?where=(Iteration.IsCurrent eq 'true')&take=1000",
    where:
      'iteration_id in (select id from general where delete_date is null and now() between start_date and end_date)',
  },
  {
    get: '/api/v1/assignables?where=(Owner.Id eq {user})&include=[Id,Name,CreateDate,StartDate,EndDate,EntityState]&take=1000',
    where: 'owner_id = {user}',
  },
  { get: '/api/v1/Generals?include=[Id,Name,Comments[CreateDate,Description]]&take=100&innertake=1000' },
  {
    get: "/api/v1/generals?where=(LastCommentDate gte '2017-01-01')&take=1000",
    where: "last_comment_date >= '2017-01-01'",
  },
  { get: '/api/v1/projects?include=[Id,Name,UserStories]&take=100&innertake=1000' },
  {
    get: "/api/v1/projects?where=(CreateDate gte '2017-01-01')and(CreateDate lte '2017-01-31')&take=1000",
    where: "create_date between '2017-01-01' and '2017-01-31'",
  },
  {
    get: "/api/v1/projects/{project}/ProjectMembers?where=(User.IsActive eq 'true')include=[User]&take=1000",
    status: 400,
  },
  { get: '/api/v1/projects/{project}?include=[Process[Practices]]' },
  { get: '/api/v1/projects/{project}?include=[EntityState[NextStates]]' },
];
