import { Entity } from 'typeorm';
import { Flag, Id, IdOf, Moment, type Ref, Reference, RichText } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'Comments',
  author: 'owner',
  operations: 'CUD',
  order: descending('id'),
  visible: through('general'),
  entityTypeId: 19,
  sharesTransactions: true,
  writers: 'observers',
  description: 'What somebody wrote about an entity.',
})
@Entity('comment')
export class Comment {
  @Id() id!: number;
  @RichText({ required: true }) description!: string;
  @IdOf({ description: 'Id of the comment this one replies to.' }) parentId!: number | null;
  @Moment({ recorded: false, readOnly: true, required: true }) createDate!: Date;
  @Moment({ recorded: false, readOnly: true }) descriptionModifyDate!: Date | null;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) isPrivate!: boolean;
  @Flag({ initial: false }) isPinned!: boolean;
  @Reference('General', { required: true }) general!: Ref;
  @Reference('GeneralUser', { always: true }) owner!: Ref;
}
