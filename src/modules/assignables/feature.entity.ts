import { ChildEntity } from 'typeorm';
import { Collection, Decimal, editable, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { Assignable } from './assignable.entity.js';

@Resource({
  collection: 'Features',
  requires: ['project'],
  operations: 'CUD',
  order: descending('id'),
  level: 2,
  description: 'Something a user can do, made of stories.',
})
@ChildEntity(9)
export class Feature extends Assignable {
  @Decimal({ initial: 0 }) initialEstimate!: string;
  @Reference('PortfolioEpic') portfolioEpic!: Ref;
  @Reference('Epic') epic!: Ref;
  @Reference('Build') build!: Ref;
  @Collection('UserStory', { by: 'feature' }, editable) userStories!: unknown;
  @Collection('Bug', { by: 'feature' }) bugs!: unknown;
  @Collection('FeatureSimpleHistory', { by: 'feature' }) history!: unknown;
}
