import { ChildEntity } from 'typeorm';
import { type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { ProjectAllocation } from '../projects/project-allocation.entity.js';

@Resource({ collection: 'TeamProjectAllocations', description: 'How much of a team a project may count on, and when.' })
@ChildEntity(30)
export class TeamProjectAllocation extends ProjectAllocation {
  @Reference('TeamProject', { readOnly: true }) teamProject!: Ref;
}
