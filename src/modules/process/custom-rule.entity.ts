import { Entity } from 'typeorm';
import { Flag, Id, Text } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';

/** A rule of the service that administrators switch on and off. */
@Resource({
  collection: 'CustomRules',
  operations: 'U',
  isConfiguration: true,
  description: 'A rule that can be switched on and off.',
})
@Entity('custom_rule')
export class CustomRule {
  @Id({ generated: false }) id!: number;
  @Text({ required: true, readOnly: true }) name!: string;
  @Text({ max: 1024, readOnly: true }) description!: string | null;
  @Flag({ initial: false }) isEnabled!: boolean;
}
