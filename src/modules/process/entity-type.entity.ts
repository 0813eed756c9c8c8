import { Entity } from 'typeorm';
import { Choice, Collection, Flag, Id, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

export const customFieldScopes = ['None', 'Global', 'Process'] as const;

const fact = { readOnly: true, initial: false } as const;

@Resource({
  collection: 'EntityTypes',
  isRecorded: false,
  order: ascending('name'),
  isConfiguration: true,
  description: 'A kind of thing. Its ids are the same in every installation.',
})
@Entity('entity_type')
export class EntityType {
  @Id({ generated: false }) id!: number;
  @Text({ required: true, readOnly: true }) name!: string;
  @Flag(fact) isExtendable!: boolean;
  @Flag(fact) isSearchable!: boolean;
  @Flag(fact) isAssignable!: boolean;
  @Flag(fact) isUnitInHourOnly!: boolean;
  @Flag(fact) isGlobal!: boolean;
  @Choice('CustomFieldScopeEnum', customFieldScopes, { readOnly: true, initial: 'None' }) customFieldScope!: string;
  @Collection('EntityState', { by: 'entityType' }) entityStates!: unknown;
  @Collection('General', { by: 'entityType' }) generals!: unknown;
}
