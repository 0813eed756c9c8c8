import { Entity } from 'typeorm';
import { Id, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'GeneralFollowers',
  key: ['general', 'user'],
  operations: 'CUD',
  visible: through('general'),
  writers: 'oneself',
  description: 'A user who wants to hear of changes.',
})
@Entity('general_follower')
export class GeneralFollower {
  @Id() id!: number;
  @Reference('General', { required: true }) general!: Ref;
  @Reference('User', { required: true }) user!: Ref;
}
