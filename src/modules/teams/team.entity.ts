import { ChildEntity } from 'typeorm';
import { Collection, editable, Flag, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { open } from '../../model/visibility.js';
import { General } from '../generals/general.entity.js';

@Resource({
  collection: 'Teams',
  operations: 'CUD',
  order: ascending('id'),
  customFields: 'global',
  visible: open,
  lies: 'aboveProjects',
  description: 'People who work together, across projects.',
})
@ChildEntity(23)
export class Team extends General {
  @Text() icon!: string | null;
  @Text() emojiIcon!: string | null;
  @Flag({ initial: true }) isActive!: boolean;
  @Text({ max: 50 }) abbreviation!: string | null;
  @Text({ readOnly: true, synthetic: true }) iconUri!: string | null;
  @Collection('TeamMember', { by: 'team' }, editable) teamMembers!: unknown;
  @Collection('TeamProject', { by: 'team' }, editable) teamProjects!: unknown;
  @Collection('Assignable', { through: 'TeamAssignment', from: 'team', to: 'assignable' }) assignables!: unknown;
  @Collection('PortfolioEpic', { through: 'TeamAssignment', from: 'team', to: 'assignable' }) portfolioEpics!: unknown;
  @Collection('Epic', { through: 'TeamAssignment', from: 'team', to: 'assignable' }) epics!: unknown;
  @Collection('Feature', { through: 'TeamAssignment', from: 'team', to: 'assignable' }) features!: unknown;
  @Collection('UserStory', { through: 'TeamAssignment', from: 'team', to: 'assignable' }) userStories!: unknown;
  @Collection('Task', { through: 'TeamAssignment', from: 'team', to: 'assignable' }) tasks!: unknown;
  @Collection('Bug', { through: 'TeamAssignment', from: 'team', to: 'assignable' }) bugs!: unknown;
  @Collection('Request', { through: 'TeamAssignment', from: 'team', to: 'assignable' }) requests!: unknown;
  @Collection('TestPlan', { through: 'TeamAssignment', from: 'team', to: 'assignable' }) testPlans!: unknown;
  @Collection('TeamIteration', { by: 'team' }) teamIterations!: unknown;
}
