import { Entity } from 'typeorm';
import { Flag, Id, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';

/** What people with a role may do with entities of a type. */
@Resource({
  collection: 'RoleEntityTypes',
  operations: 'CUD',
  key: ['role', 'entityType'],
  isConfiguration: true,
  description: 'What a role allows with entities of one type.',
})
@Entity('role_entity_type')
export class RoleEntityType {
  @Id() id!: number;
  @Flag({ initial: true }) isAddEnabled!: boolean;
  @Flag({ initial: true }) isEditEnabled!: boolean;
  @Flag({ initial: true }) isDeleteEnabled!: boolean;
  @Reference('EntityType', { required: true }) entityType!: Ref;
  @Reference('Role', { required: true }) role!: Ref;
}
