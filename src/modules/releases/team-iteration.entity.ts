import { ChildEntity } from 'typeorm';
import { Collection, Decimal, editable, Integer, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { open } from '../../model/visibility.js';
import { spanTotals } from './span-totals.js';
import { Timebox } from './timebox.js';

@Resource({
  collection: 'TeamIterations',
  requires: ['startDate', 'endDate'],
  operations: 'CUD',
  order: descending('startDate'),
  visible: open,
  readAs: spanTotals,
  spanOf: 'team',
  customFields: 'global',
  lies: 'aboveProjects',
  level: 5,
  description: 'A short span of work of one team, across its projects.',
})
@ChildEntity(24)
export class TeamIteration extends Timebox {
  @Decimal({ initial: 0 }) velocity!: string;
  @Integer({ readOnly: true, initial: 0, description: 'Days, the first and the last included.' }) duration!: number;
  @Decimal({ initial: 0 }) capacity!: string;
  @Reference('Team', { required: true }) team!: Ref;
  @Reference('Release') release!: Ref;
  @Collection('Assignable', { by: 'teamIteration' }) assignables!: unknown;
  @Collection('UserStory', { by: 'teamIteration' }, editable) userStories!: unknown;
  @Collection('Epic', { by: 'teamIteration' }) epics!: unknown;
  @Collection('Feature', { by: 'teamIteration' }) features!: unknown;
  @Collection('Task', { by: 'teamIteration' }) tasks!: unknown;
  @Collection('Bug', { by: 'teamIteration' }) bugs!: unknown;
  @Collection('TestPlanRun', { by: 'teamIteration' }) testPlanRuns!: unknown;
  @Collection('TestPlan', { by: 'teamIteration' }) testPlans!: unknown;
  @Collection('Request', { by: 'teamIteration' }) requests!: unknown;
}
