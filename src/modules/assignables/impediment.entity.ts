import { ChildEntity } from 'typeorm';
import { Collection, Flag, Moment, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { endOfPlannedDay } from '../../texts/local-times.js';
import { General } from '../generals/general.entity.js';

@Resource({
  collection: 'Impediments',
  stays: ['entityState'],
  requires: ['project'],
  operations: 'CUD',
  order: descending('id'),
  description: 'Something that stands in the way.',
})
@ChildEntity(16)
export class Impediment extends General {
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) isPrivate!: boolean;
  @Moment() plannedStartDate!: Date | null;
  @Moment({ standsFor: endOfPlannedDay }) plannedEndDate!: Date | null;
  @Reference('Assignable') assignable!: Ref;
  @Reference('EntityState', { listedWithin: 'project', ofKind: 'entityType' }) entityState!: Ref;
  @Reference('Priority') priority!: Ref;
  @Reference('User') responsible!: Ref;
  @Collection('ImpedimentSimpleHistory', { by: 'impediment' }) history!: unknown;
}
