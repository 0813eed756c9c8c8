import { ChildEntity } from 'typeorm';
import { Collection, Decimal, editable, type Ref, Reference } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { Assignable } from './assignable.entity.js';

@Resource({
  collection: 'Epics',
  requires: ['project'],
  operations: 'CUD',
  order: ascending('id'),
  level: 3,
  description: 'A large piece of work, made of features.',
})
@ChildEntity(27)
export class Epic extends Assignable {
  @Decimal({ initial: 0 }) initialEstimate!: string;
  @Reference('PortfolioEpic') portfolioEpic!: Ref;
  @Reference('Build') build!: Ref;
  @Collection('Feature', { by: 'epic' }, editable) features!: unknown;
  @Collection('EpicSimpleHistory', { by: 'epic' }) history!: unknown;
}
