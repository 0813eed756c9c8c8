import { Column, Entity } from 'typeorm';
import { Decimal, Flag, Id, Moment, Recorded, type Ref, Reference, RichText } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { throughEither } from '../../model/visibility.js';

const view = { narrows: 'assignable', readOnly: true, synthetic: true } as const;

@Resource({
  collection: 'Times',
  author: 'user',
  alternatives: [['assignable', 'project']],
  stays: ['user'],
  operations: 'CUD',
  order: descending('date'),
  visible: throughEither('assignable', 'project'),
  customFields: 'project',
  entityTypeId: 7,
  sharesTransactions: true,
  writers: 'readers',
  description: 'Hours somebody spent on a work item or on a project as a whole.',
})
@Entity('time')
export class Time {
  @Id() id!: number;
  @RichText() description!: string | null;
  @Decimal({ description: 'Hours.' }) spent!: string | null;
  @Decimal({ initial: 0, description: 'Hours.' }) remain!: string;
  @Flag({ initial: false }) isEstimation!: boolean;
  @Moment() date!: Date | null;
  @Moment({ recorded: false, readOnly: true, required: true }) createDate!: Date;
  @Reference('Project') project!: Ref;
  @Reference('Assignable') assignable!: Ref;
  @Reference('User') user!: Ref;
  @Reference('Role') role!: Ref;
  @Reference('CustomActivity') customActivity!: Ref;
  @Reference('UserStory', view) userStory!: Ref;
  @Reference('Task', view) task!: Ref;
  @Reference('Bug', view) bug!: Ref;
  @Reference('Request', view) request!: Ref;
  @Reference('TestPlan', view) testPlan!: Ref;
  @Reference('TestPlanRun', view) testPlanRun!: Ref;

  @Recorded()
  @Column({ type: 'jsonb', name: 'custom_values', default: {} })
  customValues!: Record<string, unknown>;
}
