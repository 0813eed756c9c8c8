import { Entity } from 'typeorm';
import { Choice, Double, Flag, Id, type Ref, Reference, RichText, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

/** The twelve types, in the order of their numbers in older clients. */
export const fieldTypes = [
  'Text',
  'DropDown',
  'CheckBox',
  'URL',
  'Date',
  'RichText',
  'Number',
  'Entity',
  'MultipleSelectionList',
  'TemplatedURL',
  'MultipleEntities',
  'Money',
] as const;

export type FieldType = (typeof fieldTypes)[number];

@Resource({
  collection: 'CustomFields',
  operations: 'CUD',
  fixed: ['process', 'entityType'],
  order: ascending('id'),
  isConfiguration: true,
  description: 'The definition of a custom field for one kind of item in one process; no process means everywhere.',
})
@Entity('custom_field')
export class CustomField {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @RichText({ description: 'The options, one a line.' }) value!: string | null;
  @Text({ readOnly: true }) entityFieldName!: string | null;
  @Choice('FieldTypeEnum', fieldTypes, { initial: 'Text' }) fieldType!: FieldType;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) enabledForFilter!: boolean;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) required!: boolean;
  @Flag({ initial: false }) isSystem!: boolean;
  @Double({ initial: 0, description: 'Position among the fields of its kind.' }) numericPriority!: number;
  @RichText({ description: 'JSON: default value, units, format.' }) config!: string | null;
  @RichText() description!: string | null;
  @Reference('EntityType', { required: true }) entityType!: Ref;
  @Reference('Process', { description: 'Needed for kinds that lie in projects.' }) process!: Ref;
}
