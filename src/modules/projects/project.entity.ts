import { ChildEntity } from 'typeorm';
import {
  Collection,
  Decimal,
  editable,
  Flag,
  Moment,
  type Ref,
  Reference,
  Text,
} from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { endOfPlannedDay } from '../../texts/local-times.js';
import { cycleTimeField, forecastOfSpan, leadTimeField } from '../generals/end-dates.js';
import { General, unitsField } from '../generals/general.entity.js';
import { projectTotals } from '../releases/span-totals.js';

const total = { readOnly: true, initial: 0, recorded: false } as const;

@Resource({
  collection: 'Projects',
  stays: ['entityState', 'process'],
  operations: 'CUD',
  order: ascending('name'),
  customFields: 'own',
  readAs: projectTotals,
  shortWithin: { Assignable: { Process: 'id' } },
  lies: 'asProject',
  level: 7,
  description: 'Where work is planned, by a process, by its members.',
})
@ChildEntity(1)
export class Project extends General {
  @Decimal(total) effort!: string;
  @Decimal(total) effortCompleted!: string;
  @Decimal(total) effortToDo!: string;
  @Flag({ initial: true }) isActive!: boolean;
  @Flag({ initial: false }) isProduct!: boolean;
  @Text({ max: 50 }) abbreviation!: string | null;
  @Text() mailReplyAddress!: string | null;
  @Text({ max: 50 }) color!: string | null;
  @Decimal(total) progress!: string;
  @Moment() plannedStartDate!: Date | null;
  @Moment({ standsFor: endOfPlannedDay }) plannedEndDate!: Date | null;
  @Moment({ recorded: false, readOnly: true }) lastStateChangeDate!: Date | null;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) isPrivate!: boolean;
  @unitsField() units!: string;
  @leadTimeField() leadTime!: number | null;
  @cycleTimeField() cycleTime!: number | null;
  @forecastOfSpan(projectTotals.progress) forecastEndDate!: Date | null;

  @Reference('Program') program!: Ref;
  @Reference('Process') process!: Ref;
  @Reference('EntityState', { ofKind: 'entityType' }) entityState!: Ref;
  @Reference('Company') company!: Ref;

  @Collection('General', { by: 'project' }) generals!: unknown;
  @Collection('PortfolioEpic', { by: 'project' }) portfolioEpics!: unknown;
  @Collection('Epic', { by: 'project' }) epics!: unknown;
  @Collection('Feature', { by: 'project' }) features!: unknown;
  @Collection('Release', { by: 'project' }, editable) releases!: unknown;
  @Collection('Release', { through: 'ReleaseProject', from: 'project', to: 'release' }, { ...editable, inverse: true })
  crossProjectReleases!: unknown;
  @Collection('Iteration', { by: 'project' }) iterations!: unknown;
  @Collection('UserStory', { by: 'project' }) userStories!: unknown;
  @Collection('Task', { by: 'project' }) tasks!: unknown;
  @Collection('Bug', { by: 'project' }) bugs!: unknown;
  @Collection('TestCase', { by: 'project' }) testCases!: unknown;
  @Collection('TestPlan', { by: 'project' }) testPlans!: unknown;
  @Collection('Build', { by: 'project' }) builds!: unknown;
  @Collection('Time', { by: 'project' }) times!: unknown;
  @Collection('Revision', { by: 'project' }) revisions!: unknown;
  @Collection('CustomActivity', { by: 'project' }) customActivities!: unknown;
  @Collection('ProjectMember', { by: 'project' }, editable) projectMembers!: unknown;
  @Collection('TeamProject', { by: 'project' }, editable) teamProjects!: unknown;
  @Collection('Request', { by: 'project' }) requests!: unknown;
  @Collection('TestPlanRun', { by: 'project' }) testPlanRuns!: unknown;
  @Collection('Impediment', { by: 'project' }) impediments!: unknown;
  @Collection(
    'Milestone',
    { through: 'MilestoneProject', from: 'project', to: 'milestone' },
    { ...editable, inverse: true },
  )
  milestones!: unknown;
  @Collection('MilestoneProject', { by: 'project' }, editable) milestoneProjects!: unknown;
  @Collection('ProjectAllocation', { by: 'project' }) allocations!: unknown;
  @Collection('UserProjectAllocation', { by: 'project' }) userAllocations!: unknown;
  @Collection('TeamProjectAllocation', { by: 'project' }) teamAllocations!: unknown;
}
