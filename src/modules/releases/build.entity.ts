import { ChildEntity } from 'typeorm';
import { Collection, editable, Moment, type Ref, Reference } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { General } from '../generals/general.entity.js';

@Resource({
  collection: 'Builds',
  alternatives: [['project', 'release']],
  requires: ['project'],
  operations: 'CUD',
  order: ascending('id'),
  description: 'One state of the product that could be tested or shipped.',
})
@ChildEntity(11)
export class Build extends General {
  @Moment() buildDate!: Date | null;
  @Reference('Release') release!: Ref;
  @Reference('Iteration') iteration!: Ref;
  @Collection('Bug', { by: 'build' }, editable) bugs!: unknown;
  @Collection('UserStory', { by: 'build' }, editable) userStories!: unknown;
  @Collection('Feature', { by: 'build' }, editable) features!: unknown;
  @Collection('Epic', { by: 'build' }, editable) epics!: unknown;
  @Collection('Request', { by: 'build' }, editable) requests!: unknown;
  @Collection('TestPlanRun', { by: 'build' }, editable) testPlanRuns!: unknown;
}
