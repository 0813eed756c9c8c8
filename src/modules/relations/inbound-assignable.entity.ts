import { Entity } from 'typeorm';
import { Id, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';
import { Assignable } from '../assignables/assignable.entity.js';

const fact = { readOnly: true, always: true } as const;

/** A work item as the master of a relation: a view of relations, with one row for each of them. */
@Resource({
  collection: 'InboundAssignables',
  describedOperations: 'CUD',
  like: Assignable,
  rowKey: 'relation_id',
  isView: true,
  visible: through('assignable', 'outboundGeneral'),
  customFields: 'project',
  description: 'A work item from which a relation leads to another entity.',
})
@Entity({ name: 'inbound_assignable', synchronize: false })
export class InboundAssignable {
  @Id() id!: number;
  @Reference('RelationType', fact) relationType!: Ref;
  @Reference('General', fact) outboundGeneral!: Ref;
  @Reference('Assignable', { ...fact, column: 'id', hidden: true }) assignable!: Ref;
}
