import { Entity } from 'typeorm';
import { Collection, editable, Flag, Id, RichText, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';

@Resource({
  collection: 'Roles',
  operations: 'CUD',
  order: ascending('name'),
  isConfiguration: true,
  isNameable: true,
  description: 'What somebody does in a project or team.',
})
@Entity('role')
export class Role {
  @Id() id!: number;
  @Text({ required: true }) name!: string;
  @RichText() description!: string | null;
  @Flag({ initial: false, description: 'People with this role work in pairs. Shown, and decides nothing.' })
  isPair!: boolean;
  @Flag({ initial: true, description: 'Effort is estimated for this role.' }) hasEffort!: boolean;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) canChangeOwner!: boolean;
  @Flag({ initial: true, description: 'Whether access tokens of users with this role can be made and used.' })
  canUsePersonalAccessTokens!: boolean;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) canPrioritize!: boolean;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) timeSheetAccess!: boolean;
  @Flag({ initial: false, description: 'Shown, and decides nothing.' }) peopleAccess!: boolean;
  @Collection('RoleEntityType', { by: 'role' }, editable) roleEntityTypes!: unknown;
  @Collection('User', { by: 'role' }) users!: unknown;
  @Collection('Time', { by: 'role' }) times!: unknown;
  @Collection('RoleEffort', { by: 'role' }) roleEfforts!: unknown;
  @Collection('EntityState', { by: 'role' }) entityStates!: unknown;
}
