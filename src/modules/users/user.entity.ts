import { ChildEntity } from 'typeorm';
import {
  Choice,
  Collection,
  Decimal,
  editable,
  Flag,
  Integer,
  Moment,
  type Ref,
  Reference,
  Text,
} from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { GeneralUser } from './general-user.entity.js';

export const richEditors = ['Html', 'Markdown'] as const;

@Resource({
  collection: 'Users',
  operations: 'CUD',
  requires: ['email', 'login', 'password'],
  short: ['FirstName', 'LastName', 'Login', 'FullName', 'Kind'],
  entityTypeId: 6,
  description: 'Somebody who signs in.',
})
@ChildEntity('User')
export class User extends GeneralUser {
  @Moment({ recorded: false, readOnly: true, private: true, description: 'Of log-ins to pages alone.' })
  lastLoginDate!: Date | null;
  @Decimal({ initial: 40 }) weeklyAvailableHours!: string;
  @Integer({ recorded: false, initial: 0, description: 'Per cent.' }) currentAllocation!: number;
  @Decimal({ recorded: false, initial: 0 }) currentAvailableHours!: string;
  @Moment() availableFrom!: Date | null;
  @Integer({ recorded: false, initial: 0, description: 'Per cent.' }) availableFutureAllocation!: number;
  @Decimal({ recorded: false, initial: 0 }) availableFutureHours!: string;
  @Flag({ initial: false }) isObserver!: boolean;
  @Flag() isContributor!: boolean | null;
  @Text({ max: 4000 }) skills!: string | null;
  // A login by another name.
  @Text({ private: true }) activeDirectoryName!: string | null;
  @Choice('RichEditorEnum', richEditors) richEditor!: string | null;
  @Reference('Role') role!: Ref;
  @Collection('Time', { by: 'user' }) times!: unknown;
  @Collection('Impediment', { by: 'responsible' }) impediments!: unknown;
  @Collection('CustomActivity', { by: 'user' }) customActivities!: unknown;
  @Collection('Revision', { by: 'author' }) revisions!: unknown;
  @Collection('TeamMember', { by: 'user' }, editable) teamMembers!: unknown;
  @Collection('ProjectMember', { by: 'user' }, editable) projectMembers!: unknown;
  @Collection('GeneralFollower', { by: 'user' }, editable) following!: unknown;
}
