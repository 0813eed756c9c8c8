import { Entity } from 'typeorm';
import { Computed, Flag, Id, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'EntityPermissions',
  filled: ['entityType'],
  alternatives: [['general', 'entityId']],
  operations: 'CUD',
  visible: through('general'),
  isAdministered: true,
  description: 'A note of a right on one entity for one user: it gives no access, and takes none away.',
})
@Entity('entity_permission')
export class EntityPermission {
  @Id() id!: number;
  @Computed('id', (row) => row('general_id'), { settable: true }) entityId!: number;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) view!: boolean;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) comment!: boolean;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) edit!: boolean;
  @Reference('EntityType', { required: true }) entityType!: Ref;
  @Reference('User', { required: true }) user!: Ref;
  @Reference('General', { required: true }) general!: Ref;
}
