/** Every entity: the list that TypeORM and the model are built from. A new resource is one word here. */
import type { EntityClass } from '../model/build-model.js';
import { AccessToken } from './access-tokens/access-token.entity.js';
import { Assignable } from './assignables/assignable.entity.js';
import { AssignedEffort } from './assignables/assigned-effort.entity.js';
import { Assignment } from './assignables/assignment.entity.js';
import { Bug } from './assignables/bug.entity.js';
import { Epic } from './assignables/epic.entity.js';
import { Feature } from './assignables/feature.entity.js';
import { Impediment } from './assignables/impediment.entity.js';
import { PortfolioEpic } from './assignables/portfolio-epic.entity.js';
import { Request } from './assignables/request.entity.js';
import { RoleEffort } from './assignables/role-effort.entity.js';
import { Task } from './assignables/task.entity.js';
import { TeamAssignment } from './assignables/team-assignment.entity.js';
import { UserStory } from './assignables/user-story.entity.js';
import { Attachment } from './attachments/attachment.entity.js';
import { Comment } from './comments/comment.entity.js';
import { CustomField } from './custom-fields/custom-field.entity.js';
import { EntityPermission } from './generals/entity-permission.entity.js';
import { General } from './generals/general.entity.js';
import { GeneralConversion } from './generals/general-conversion.entity.js';
import { GeneralFollower } from './generals/general-follower.entity.js';
import { FullHistory, fullHistories } from './history/full-history.entities.js';
import { SimpleHistory, simpleHistories } from './history/simple-history.entities.js';
import { linkEntities } from './link-tables.js';
import { LoginAttempt } from './login-attempts/login-attempt.entity.js';
import { Message } from './messages/message.entity.js';
import { MessageUid } from './messages/message-uid.entity.js';
import { Milestone } from './milestones/milestone.entity.js';
import { MilestoneProject } from './milestones/milestone-project.entity.js';
import { CustomRule } from './process/custom-rule.entity.js';
import { EntityState } from './process/entity-state.entity.js';
import { EntityType } from './process/entity-type.entity.js';
import { Practice } from './process/practice.entity.js';
import { Priority } from './process/priority.entity.js';
import { Process } from './process/process.entity.js';
import { RequestType } from './process/request-type.entity.js';
import { Severity } from './process/severity.entity.js';
import { Term } from './process/term.entity.js';
import { Workflow } from './process/workflow.entity.js';
import { Company } from './projects/company.entity.js';
import { Program } from './projects/program.entity.js';
import { Project } from './projects/project.entity.js';
import { ProjectAllocation } from './projects/project-allocation.entity.js';
import { ProjectMember } from './projects/project-member.entity.js';
import { UserProjectAllocation } from './projects/user-project-allocation.entity.js';
import { InboundAssignable } from './relations/inbound-assignable.entity.js';
import { OutboundAssignable } from './relations/outbound-assignable.entity.js';
import { Relation } from './relations/relation.entity.js';
import { RelationType } from './relations/relation-type.entity.js';
import { Build } from './releases/build.entity.js';
import { Iteration } from './releases/iteration.entity.js';
import { Release } from './releases/release.entity.js';
import { ReleaseProject } from './releases/release-project.entity.js';
import { TeamIteration } from './releases/team-iteration.entity.js';
import { Timebox } from './releases/timebox.js';
import { Revision } from './revisions/revision.entity.js';
import { RevisionFile } from './revisions/revision-file.entity.js';
import { GlobalSettings } from './settings/global-settings.entity.js';
import { Setting } from './settings/setting.entity.js';
import { Tag } from './tags/tag.entity.js';
import { Team } from './teams/team.entity.js';
import { TeamMember } from './teams/team-member.entity.js';
import { TeamProject } from './teams/team-project.entity.js';
import { TeamProjectAllocation } from './teams/team-project-allocation.entity.js';
import { TestCase } from './test-plans/test-case.entity.js';
import { TestCaseRun } from './test-plans/test-case-run.entity.js';
import { TestPlan } from './test-plans/test-plan.entity.js';
import { TestPlanRun } from './test-plans/test-plan-run.entity.js';
import { TestRunItemHierarchyLink } from './test-plans/test-run-item-hierarchy-link.entity.js';
import { TestStep } from './test-plans/test-step.entity.js';
import { TestStepRun } from './test-plans/test-step-run.entity.js';
import { CustomActivity } from './times/custom-activity.entity.js';
import { Time } from './times/time.entity.js';
import { GeneralUser } from './users/general-user.entity.js';
import { Requester } from './users/requester.entity.js';
import { Role } from './users/role.entity.js';
import { RoleEntityType } from './users/role-entity-type.entity.js';
import { SystemUser } from './users/system-user.entity.js';
import { User } from './users/user.entity.js';

/** The entities the API serves. */
export const resourceEntities = [
  AccessToken,
  Assignable,
  AssignedEffort,
  Assignment,
  Attachment,
  Bug,
  Build,
  Comment,
  Company,
  CustomActivity,
  CustomField,
  CustomRule,
  EntityPermission,
  EntityState,
  EntityType,
  Epic,
  Feature,
  General,
  GeneralConversion,
  GeneralFollower,
  GeneralUser,
  GlobalSettings,
  Impediment,
  InboundAssignable,
  Iteration,
  LoginAttempt,
  Message,
  MessageUid,
  Milestone,
  MilestoneProject,
  OutboundAssignable,
  PortfolioEpic,
  Practice,
  Priority,
  Process,
  Program,
  Project,
  ProjectAllocation,
  ProjectMember,
  Relation,
  RelationType,
  Release,
  ReleaseProject,
  Request,
  RequestType,
  Requester,
  Revision,
  RevisionFile,
  Role,
  RoleEffort,
  RoleEntityType,
  Severity,
  Tag,
  Task,
  Team,
  TeamAssignment,
  TeamIteration,
  TeamMember,
  TeamProject,
  TeamProjectAllocation,
  Term,
  TestCase,
  TestCaseRun,
  TestPlan,
  TestPlanRun,
  TestRunItemHierarchyLink,
  TestStep,
  TestStepRun,
  Time,
  User,
  UserProjectAllocation,
  UserStory,
  Workflow,
  FullHistory,
  ...fullHistories,
  SimpleHistory,
  ...simpleHistories,
] as unknown as readonly EntityClass[];

/** What TypeORM maps: the served ones and those the service keeps for itself. */
export const entities = [...resourceEntities, Timebox, Setting, SystemUser, ...linkEntities];
