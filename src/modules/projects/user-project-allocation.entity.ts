import { ChildEntity } from 'typeorm';
import { type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { ProjectAllocation } from './project-allocation.entity.js';

/** What a project may count on of a user: a view of the memberships. */
@Resource({ collection: 'UserProjectAllocations', description: 'What a project may count on of a user.' })
@ChildEntity(29)
export class UserProjectAllocation extends ProjectAllocation {
  @Reference('ProjectMember', { readOnly: true }) projectMember!: Ref;
}
