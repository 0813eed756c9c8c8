import { Entity, Unique } from 'typeorm';
import { Id, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'Relations',
  alternatives: [
    ['master', 'inbound'],
    ['slave', 'outbound'],
  ],
  operations: 'CUD',
  visible: through('master', 'slave'),
  writers: 'membersOfOne',
  description: 'That one entity has to do with another. Master and Slave are the older names of Inbound and Outbound.',
})
@Entity('relation')
@Unique('uq_relation', ['master', 'slave', 'relationType'])
export class Relation {
  @Id() id!: number;
  @Reference('General', { required: true, namesKinds: true }) master!: Ref;
  @Reference('General', { required: true, namesKinds: true }) slave!: Ref;
  @Reference('General', { sameAs: 'master', always: true, namesKinds: true }) inbound!: Ref;
  @Reference('General', { sameAs: 'slave', always: true, namesKinds: true }) outbound!: Ref;
  @Reference('RelationType', { required: true }) relationType!: Ref;
}
