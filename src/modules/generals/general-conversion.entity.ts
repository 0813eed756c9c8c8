import { Entity } from 'typeorm';
import { Id, IdOf, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'GeneralConversions',
  isRecorded: false,
  visible: through('actualGeneral'),
  isListed: false,
  description: 'That an entity was once another entity of another kind, with another id.',
  isAdministered: true,
})
@Entity('general_conversion')
export class GeneralConversion {
  @Id() id!: number;
  @IdOf({ readOnly: true, required: true, name: 'FromGeneralID' }) fromGeneralId!: number;
  @Reference('EntityType', { required: true, readOnly: true }) fromGeneralType!: Ref;
  @Reference('General', { required: true, readOnly: true }) actualGeneral!: Ref;
}
