import { ChildEntity } from 'typeorm';
import { Collection, type Ref, Reference } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { Assignable } from './assignable.entity.js';

@Resource({
  collection: 'Tasks',
  stays: ['entityState', 'project'],
  operations: 'CUD',
  order: ascending('name'),
  level: 0,
  description: 'A step of work within a story.',
})
@ChildEntity(5)
export class Task extends Assignable {
  @Reference('UserStory', { required: true, part: true, follows: ['release', 'iteration', 'teamIteration'] })
  userStory!: Ref;
  @Collection('TaskSimpleHistory', { by: 'task' }) history!: unknown;
}
