/**
 * Addresses as programs in use ask for them (plug-ins of editors, pages, trackers of time, bots), each above the names
 * that they read of the answer: `Items.0.Name:string` is there and a text, without a type it may be null. The word in
 * front is who asks, or the format that is asked for by a header; names in braces stand for ids.
 */
export const gathered = `
# Authentication, contexts and people.
/api/v1/Authentication/?&format=json
  Token:string
nobody /api/v1/Context/?token={token}&format=json&include=&where=
  LoggedUser.Id:number LoggedUser.Email:string LoggedUser.FirstName:string LoggedUser.LastName:string
/api/v1/context.asmx?format=json
  Acid:string LoggedUser.Id:number
nobody /api/v1/Users/loggedUser?token={token}&format=json&include=[IsActive,DeleteDate,IsAdministrator]
  IsActive:boolean IsAdministrator:boolean DeleteDate
/api/v1/Users/LoggedUser?format=json&include[id,email]
  Id:number Email:string Login:string
json /api/v1/Users?where=Login%20eq%20'alice'&orderByDesc=CreateDate&take=1&include=[Id,FirstName,LastName,Email]
  Items.0.Id:number Items.0.Email:string
/api/v1/Users/?where=(isActive eq 'true')&include=[Id, Email, FirstName]&format=json&take=1
  Items.0.Email:string Items.0.FirstName:string
json /api/V1/Teams?resultFormat=json&take=100000&skip=0
  Items.0.Owner.Id:number Items.0.Abbreviation Items.0.Icon Items.0.IsActive:boolean
/api/v1/teams?resultInclude=[Id,Name,Project[Id]]&format=json
  Items.0.Name:string Items.0.Project
/api/v1/Roles?format=json
  Items.0.CanChangeOwner:boolean Items.0.HasEffort:boolean
/api/v1/ProjectMembers?take=1000&where=Allocation gt 0&format=json&callback=
  Items.0.Allocation:number Items.0.User.Id:number
/avatar.ashx?UserId={user}&size=30&mode=raw
  

# What is set up.
/api/v1/entitytypes.asmx?include=[Id]&where=Name eq 'Bug'&format=json
  Items.0.Id:number
/api/v1/severities?orderByDesc=Id&resultInclude=[Id,Name]&format=json
  Items.0.Name:string
/api/v1/priorities?orderByDesc=Id&resultInclude=[Id,Name]&where=EntityType.Id eq 8&format=json
  Items.0.Name:string
/api/v1/projects?resultInclude=[Id,Name,Process[Id,Practices]]&where=IsActive eq 'true'&format=json
  Items.0.Process.Practices.Items.0.Name:string
/api/v1/processes?format=json&where=Name in ('Scrum','Kanban')&take=1000
  Items.1.Id:number
/api/v1/customfields?format=json&where=Name in ("a","Risk")&take=1000
  Items.0.Process.Id:number Items.0.EntityType.Id:number Items.0.FieldType:string
/api/v1/processes/3/entitystates?where=(IsFinal eq 1)and(EntityType.Name eq 'Bug')&format=json&include=[Id,Name]
  Items.0.Name:string
/api/v1/EntityStates?format=json&where=Process.Name eq 'Scrum'
  Items.0.EntityType.Name:string Items.0.ParentEntityState Items.0.Process.Id:number Items.0.Workflow.Id:number

# Work.
/api/v1/UserStories/{story}?include=[Name,Project,Tags]&format=json
  Name:string Project.Id:number Tags:string
nobody /api/v1/Assignables/{story}/?&include=[Id,Project,EntityType,TimeSpent,Effort,CustomFields]&token={token}&format=json
  EntityType.Name:string TimeSpent:number Effort:number CustomFields:list
nobody /api/v1/Assignables/{story}/?&include[CustomFields]&token={token}&format=json
  CustomFields.0.Name:string
/api/v1/Assignables/?access_token=&format=json&&where=Id in ({story},{bug})
  Items.1.EntityType.Name:string
/api/v1/Assignables/{story}/RoleEfforts?format=json&include=[timeRemain]&where=(role.id eq 1)
  Items.0.TimeRemain:number
/api/v1/assignables/{story}?include=[entitystate[nextstates]]&format=json
  EntityState.NextStates.Items.0.Id:number
/api/v1/Assignables/?format=json&include=[Id,Name,Assignments[GeneralUser[Id,AvatarUri,FirstName,LastName],Role[Name]],EntityType[Name],EntityState[Id,IsFinal,Role,Name,NextStates]]&where=Id in ({story},{bug})
  Items.0.Assignments.Items.0.GeneralUser.AvatarUri:string Items.0.Assignments.Items.0.Role.Name:string Items.0.EntityState.IsFinal:boolean Items.0.EntityState.NextStates.Items:list
/api/v1/assignments?include=[Assignable[Id],Role[Id,Name],GeneralUser[Id,FirstName,LastName,Role[Id,Name],IsActive,DeleteDate]]&where=(Assignable.EntityState.isFinal eq "false")&format=json
  Items.0.GeneralUser.Role.Name:string Items.0.GeneralUser.DeleteDate Items.0.Assignable.Id:number
/api/v1/assignables?include=[Id,RoleEfforts[Effort,EffortToDo,TimeSpent,TimeRemain,Role[Id,Name]]]&where=(EntityState.isFinal eq "false")and(Effort gt 0)&format=json
  Items.0.RoleEfforts.Items.0.EffortToDo:number Items.0.RoleEfforts.Items.0.Role.Name:string
/api/v1/Users/{user}/Assignables?format=json&include=[name,numericPriority,iteration[startDate,endDate],project,entityType,entityState[name,role,isInitial],assignments[generalUser,role]]&where=(entityState.isFinal eq 'false') and (entityType.name ne 'Feature') and (entityState.role is not null)
  Items.0.EntityState.IsInitial:boolean Items.0.EntityState.Role.Id:number Items.0.Iteration Items.0.Assignments.Items.0.GeneralUser.Id:number
/api/v1/Assignables?orderBy=NumericPriority&include=[Id,ResponsibleTeam[EntityState[Name,NumericPriority,Workflow[Id]]]]&where=(EntityState.Name in ("In Progress"))and(ResponsibleTeam is not null)&format=json
  Items.0.ResponsibleTeam.EntityState.Workflow.Id:number
/api/v1/TeamIterations/{teamIteration}/UserStories/?skip=0&take=50&include=[Id,Name,Effort,EntityState,AssignedUser,Tasks,NumericPriority]&format=json
  Items.0.Tasks.Items:list Items.0.AssignedUser.Items:list Items.0.EntityState.Name:string
/api/v1/UserStories?format=json&where=(Teamiteration.IsCurrent eq 'true')and(Team.Id eq{team})&take=2
  Items:list
/api/v1/UserStories?format=json&include=[CustomFields,Id]&where=("CustomFields.Release Notes" is not null) and (EntityState.IsFinal eq "false")
  Items.0.CustomFields.0.Value
/api/v1/UserStories/{story}?format=json&resultInclude=[Id,Description,EntityState,Name,TimeSpent,TimeRemain,Testcases-count,Testcases[Name,LastStatus]]
  TestCases-Count:number TestCases.Items:list
/api/v1/Features/{feature}?format=json&include=[UserStories[Id,Bugs-Count],LinkedTestPlan[TestCases[Id]]]
  UserStories.Items.0.Bugs-Count:number LinkedTestPlan
/api/v1/impediments.asmx/?skip=0&take=999&include=[id,name,assignable[id]]&where=(entityState.isFinal eq 0)&format=json
  Items.0.Assignable.Id:number
/api/v1/generals/{story}?include=[MasterRelations[Master,RelationType],SlaveRelations[Slave,RelationType]]&format=json
  MasterRelations.Items:list SlaveRelations.Items:list
json /api/v1//Comments?where=General.Id in ({story},{bug})&include=[Description,General,Owner]
  Items:list
/api/v1/UserStories/?where=(StartDate eq %27null%27)and(Effort gt %270.5%27)&format=json&take=1
  Items.0.Id:number
/api/v1/Projects/?take=1&amp;skip=1&format=json
  Items.0.Id:number Next:string
json /api/v1/Projects/{project}/Iterations/?where=(StartDate lte '12/31/2199')&include=[Name, StartDate, EndDate, UserStories[Name, EntityState]]
  Items.0.UserStories.Items:list Items.0.StartDate:string
/api/v1/TeamIterations?format=json&where=EndDate gte 01-02-2020&take=1
  Items.0.EndDate:string
/api/v1/Iterations?format=json&where=(EndDate in ('tomorrow','today'))
  Items:list
/api/v1/UserStoryHistories?format=json&include=[Date,EntityState,UserStory]&where=UserStory.Team.Name is not null
  Items.0.UserStory.Id:number Items.0.EntityState.NumericPriority:number Items.0.Date:string
json /api/v1/UserStoryHistories?where=(UserStory.Id eq {story}) and (Date gte '2020-01-01') and (Date lte '2199-01-01')
  Items.0.EntityState.Name:string
json /api/v1/Times?Where=(User.Id eq {user})and(Date gte '24-Oct-2015')&Include=[Spent,Description,Date,User[Id,Login],Assignable[Name],Project[Name]]&Take=500&OrderBy=Date
  Items.0.Spent:number Items.0.Project.Name:string

# Tests.
/api/v1/TestCases/{case}?include=[TestPlans[ID]]&format=json
  TestPlans.Items.0.Id:number
/api/v1/TestCases?include=[LastStatus,LastRunDate]&where=LastStatus is not null&format=json
  Items.0.LastStatus:boolean Items.0.LastRunDate:string
json /api/v1/TestPlanRuns/{run}
  NotRunCount:number PassedCount:number FailedCount:number OnHoldCount:number

# Version 2.
alice /api/v2/Assignables/?select={ResourceType,Name,Id,EntityState,Effort,Tags,AssignedUser,Description,Project, Feature,Creator,Release,Iteration,TeamIteration,CreateDate}&take=1000&filter=?AssignedUser.Where(it is Me)
  items.0.assignedUser.items.0.kind:string items.0.assignedUser.items.0.login:string items.0.creator.fullName:string items.0.entityState.numericPriority:number items.0.effort:number items.0.tags:string items.0.createDate:string
/api/v2/assignable?select={id,name,description,entityType:entityType.name}&where=(assignedUser.where(it.login=='alice').Count>0)and(entityType.name=='Bug' or entityType.name=='UserStory')and(name.contains('e') or id.ToString().contains('e'))&orderBy=id desc
  items.0.entityType:string
nobody /api/v2/assignable?select={id:id.ToString(),type:entityType.name.ToLower(),state:{id:entityState.id,name:entityState.name},users:Assignments.Select({user.id,user.email,name:user.fullName,role:role.name}),created:CreateDate.Value.ToString("o")}&where=(createDate>=DateTime.Parse("2015-12-01") or ModifyDate>=DateTime.Parse("2015-12-01")) and (id=={story})&skip=0&take=100&token={token}
  items.0.id:string items.0.type:string items.0.state.id:number items.0.users.0.id:number items.0.users.0.role:string items.0.created:string
/api/v2/assignable?select=&where=true&take=1&type=Assignable
  next:string items.0.resourceType:string
/api/v2/customfield?take=1000&skip=0&select=new(required, name, id, config, fieldType, value, entityType, process)&where=process.id == 3 and entityType.id == 4
  items.0.required:boolean items.0.process.id:number
/api/v2/Assignable?take=1000&where=TagObjects.Count(Name=="reporting" or Name=="y")>0&select={id,Tags,EntityState.Name as state,Priority.Name as priority}&acid=
  items.0.tags:string items.0.state:string
/api/v2/UserStory/?where=entityState.isInitial == true&take=10000&select={id,entityType.name as type,assignedUser.Select({id,firstName,avatarUri}) as assignedUsers,tasks.Count() as allTasks,tasks.Count(entityState.IsFinal != true) as openTasks,impediments.Count(entityState.IsFinal != true) as openImpedimentsCount}
  items.0.type:string items.0.assignedUsers:list items.0.openTasks:number items.0.openImpedimentsCount:number
/api/v2/assignable?where=id=={story}&select={total:OutboundAssignables.Where(RelationType.Name=="Link").count()%2BSlaveRelations.Where(RelationType.Name=="Link" and slave.entityType.name="Project" and slave.as<Project>.EntityState.IsFinal!=true).count(),attachments:attachments.Select({thumbnailUri,mimeType,name})}
  items.0.total:number items.0.attachments:list
/api/v2/Task?Select={Comment:UserStory.Comments.Select({Owner,Description})}&where=(UserStory.Id>0)&take=1
  items.0.comment:list
/api/v2/UserStories?filter=?'e'in Name &select={id,name}
  items.0.name:string
/api/v2/UserStories?filter=?feature.id is {feature}&select={id,resourcetype,feature:{feature.name}}
  items.0.resourcetype:string items.0.feature.name:string
/api/v2/TeamMembers?select={user:{user.FirstName,user.LastName},role:{role.id,role.name},team:{team.name}}
  items.0.user.firstName:string items.0.role.name:string items.0.team.name:string
/api/history/v2/userstory?where=(currentuserstory.id in [{story}])&select={date,entitystate:{entitystate.id,entitystate.name},userstory:{currentuserstory.id,currentuserstory.name},resourcetype}&take=10000&dateformat=iso&orderBy=currentuserstory.id,date
  items.0.date:string items.0.entitystate.name:string items.0.userstory.id:number items.0.resourcetype:string
/api/v2/Release/{release}?select={bugs, userstories, features}
  items.0.bugs.items.0.id:number items.0.userStories.items:list items.0.features.items:list
/api/v2/UserStory?select={id:Id,focus:CustomValues.Get("Risk").value,other:CustomValues["Risk"]}&where=CustomValues["Risk"]!=null
  items.0.focus:string items.0.other:string
/api/v2/projects?prettify&select={id,name,customValues}
  items.0.customValues.customFields:list
`;
