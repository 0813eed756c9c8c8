import { ChildEntity } from 'typeorm';
import { Collection, Decimal, editable, type Ref, Reference } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { Assignable } from './assignable.entity.js';

@Resource({
  collection: 'UserStories',
  requires: ['project'],
  operations: 'CUD',
  order: descending('id'),
  level: 1,
  description: 'A need of a user, small enough for one iteration.',
})
@ChildEntity(4)
export class UserStory extends Assignable {
  @Decimal({ initial: 0 }) initialEstimate!: string;
  @Reference('Feature') feature!: Ref;
  @Reference('Build') build!: Ref;
  @Collection('Task', { by: 'userStory' }, editable) tasks!: unknown;
  @Collection('Bug', { by: 'userStory' }) bugs!: unknown;
  @Collection('TestCase', { by: 'userStory' }, { ...editable, deprecated: true }) testCases!: unknown;
  @Collection('UserStorySimpleHistory', { by: 'userStory' }) history!: unknown;
}
