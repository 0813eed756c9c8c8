import { ChildEntity } from 'typeorm';
import { Collection, Decimal, editable, Integer, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { spanTotals } from './span-totals.js';
import { Timebox } from './timebox.js';

@Resource({
  collection: 'Iterations',
  alternatives: [['project', 'release']],
  requires: ['project', 'startDate', 'endDate'],
  operations: 'CUD',
  order: descending('startDate'),
  readAs: spanTotals,
  spanOf: 'project',
  level: 5,
  description: 'A short span of work of one project.',
})
@ChildEntity(3)
export class Iteration extends Timebox {
  @Decimal({ initial: 0 }) velocity!: string;
  @Integer({ readOnly: true, initial: 0, description: 'Days, the first and the last included.' }) duration!: number;
  @Reference('Release') release!: Ref;
  @Collection('Assignable', { by: 'iteration' }) assignables!: unknown;
  @Collection('UserStory', { by: 'iteration' }, editable) userStories!: unknown;
  @Collection('Task', { by: 'iteration' }) tasks!: unknown;
  @Collection('Bug', { by: 'iteration' }) bugs!: unknown;
  @Collection('TestPlanRun', { by: 'iteration' }) testPlanRuns!: unknown;
  @Collection('Request', { by: 'iteration' }) requests!: unknown;
  @Collection('Build', { by: 'iteration' }, editable) builds!: unknown;
}
