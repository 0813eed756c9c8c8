import { ChildEntity } from 'typeorm';
import { Collection, Decimal, editable } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { Assignable } from './assignable.entity.js';

@Resource({
  collection: 'PortfolioEpics',
  operations: 'CUD',
  order: ascending('id'),
  lies: 'inOrAboveProjects',
  level: 4,
  description: 'The largest unit of planning; may span projects.',
})
@ChildEntity(31)
export class PortfolioEpic extends Assignable {
  @Decimal({ initial: 0 }) initialEstimate!: string;
  @Collection('Epic', { by: 'portfolioEpic' }, editable) epics!: unknown;
  @Collection('Feature', { by: 'portfolioEpic' }, editable) features!: unknown;
  @Collection('PortfolioEpicSimpleHistory', { by: 'portfolioEpic' }) history!: unknown;
}
