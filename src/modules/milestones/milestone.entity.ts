import { ChildEntity } from 'typeorm';
import { Collection, editable, Moment, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { membershipOf } from '../../model/visibility.js';
import { General } from '../generals/general.entity.js';

@Resource({
  collection: 'Milestones',
  operations: 'CUD',
  order: ascending('name'),
  visible: membershipOf('projects'),
  lies: 'aboveProjects',
  description: 'A date that matters to one or more projects.',
})
@ChildEntity(32)
export class Milestone extends General {
  @Moment({ required: true }) date!: Date;
  @Text({ max: 100, required: true }) cssClass!: string;
  @Collection('Project', { through: 'MilestoneProject', from: 'milestone', to: 'project' }, editable)
  projects!: unknown;
  @Collection('General', { by: 'milestone' }, editable) generals!: unknown;
  @Collection('MilestoneProject', { by: 'milestone' }, editable) milestoneProjects!: unknown;
}
