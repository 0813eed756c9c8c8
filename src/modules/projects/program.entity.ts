import { ChildEntity } from 'typeorm';
import { Collection, editable } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { membershipOf } from '../../model/visibility.js';
import { General } from '../generals/general.entity.js';

@Resource({
  collection: 'Programs',
  operations: 'CUD',
  order: ascending('name'),
  visible: membershipOf('projects'),
  lies: 'aboveProjects',
  description: 'Projects that belong together.',
})
@ChildEntity(10)
export class Program extends General {
  @Collection('Project', { by: 'program' }, editable) projects!: unknown;
}
