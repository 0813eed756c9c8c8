import { ChildEntity } from 'typeorm';
import { Collection, editable, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { membershipOf } from '../../model/visibility.js';
import { spanTotals } from './span-totals.js';
import { Timebox } from './timebox.js';

@Resource({
  collection: 'Releases',
  alternatives: [['project', 'projects']],
  requires: ['project'],
  operations: 'CUD',
  order: descending('startDate'),
  visible: membershipOf('projects'),
  readAs: spanTotals,
  spanOf: 'project',
  level: 6,
  description: 'What is to be delivered until a date, by one project or by several.',
})
@ChildEntity(2)
export class Release extends Timebox {
  @Reference('Process', { synthetic: true, readOnly: true, description: 'Null: its project has one.' }) process!: Ref;
  @Collection('Iteration', { by: 'release' }, editable) iterations!: unknown;
  @Collection('TeamIteration', { by: 'release' }, editable) teamIterations!: unknown;
  @Collection('Assignable', { by: 'release' }) assignables!: unknown;
  @Collection('Epic', { by: 'release' }) epics!: unknown;
  @Collection('Feature', { by: 'release' }) features!: unknown;
  @Collection('UserStory', { by: 'release' }) userStories!: unknown;
  @Collection('Task', { by: 'release' }) tasks!: unknown;
  @Collection('Bug', { by: 'release' }) bugs!: unknown;
  @Collection('TestPlanRun', { by: 'release' }) testPlanRuns!: unknown;
  @Collection('TestPlan', { by: 'release' }) testPlans!: unknown;
  @Collection('Request', { by: 'release' }) requests!: unknown;
  @Collection('Build', { by: 'release' }, editable) builds!: unknown;
  @Collection('Project', { through: 'ReleaseProject', from: 'release', to: 'project' }, editable) projects!: unknown;
}
