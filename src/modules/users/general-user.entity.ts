import { Column, Entity, TableInheritance } from 'typeorm';
import { Choice, Collection, Computed, Flag, Id, Moment, Recorded, Text } from '../../model/field.decorators.js';
import { ascending, Resource } from '../../model/resource.decorator.js';
import { late, sql } from '../../sql.js';

export const userKinds = ['None', 'User', 'SystemUser', 'Requester', 'Contact', 'RuleEngine', 'MetricsUser'] as const;

@Resource({
  collection: 'GeneralUsers',
  operations: 'UD',
  order: ascending('lastName'),
  remembered: true,
  isAdministered: true,
  short: ['FirstName', 'LastName', 'Login', 'FullName'],
  item: ['Kind'],
  // Where there is no picture the address shows one that stands for it.
  readAs: {
    avatarUri: (row) =>
      sql`(${late('base')} || coalesce(${row('avatar_uri')}, '/avatar.ashx?UserID=' || ${row('id')}))`,
    // Whether somebody was active is kept for his restoration.
    isActive: (row) => sql`(${row('is_active')} and ${row('delete_date')} is null)`,
  },
  customFields: 'global',
  facts: { role: 'role_id', active: 'is_active', person: 'kind' },
  description: 'Somebody with a name: a user, a requester, the System user.',
})
@Entity('general_user')
@TableInheritance({ column: { type: 'text', name: 'kind' } })
export abstract class GeneralUser {
  @Id() id!: number;
  @Text() firstName!: string | null;
  @Text() lastName!: string | null;
  @Text({ private: true }) email!: string | null;
  @Text({ private: true }) login!: string | null;
  @Computed('text', (row) => sql`concat_ws(' ', nullif(${row('first_name')}, ''), nullif(${row('last_name')}, ''))`)
  fullName!: string;
  @Moment({ recorded: false, readOnly: true, required: true }) createDate!: Date;
  @Moment({ recorded: false, readOnly: true, required: true }) modifyDate!: Date;
  @Moment({ softDelete: true }) deleteDate!: Date | null;
  @Flag({ initial: true }) isActive!: boolean;
  @Flag({ initial: false }) isAdministrator!: boolean;
  @Text({ max: 20 }) locale!: string | null;
  @Choice('UserEntityKind', userKinds, { readOnly: true, required: true }) kind!: string;
  @Text({ recorded: false, max: 64, readOnly: true }) globalId!: string | null;
  @Text({ max: 1024, writeOnly: true }) password!: string;
  @Text({ max: 2048, readOnly: true, synthetic: true }) avatarUri!: string | null;

  @Collection('General', { by: 'owner' }) generals!: unknown;
  @Collection('Assignable', { through: 'Assignment', from: 'generalUser', to: 'assignable' }) assignables!: unknown;
  @Collection('Comment', { by: 'owner' }) comments!: unknown;
  @Collection('Request', { table: 'request_requester', from: 'requester_id', to: 'request_id' }, { inverse: true })
  requests!: unknown;

  @Column({ type: 'text', name: 'password_hash', nullable: true, select: false }) passwordHash!: string | null;
  /** Raised to end the service token before the password changes. */
  @Column({ type: 'int', name: 'token_version', default: 0 }) tokenVersion!: number;
  @Recorded()
  @Column({ type: 'jsonb', name: 'custom_values', default: {} })
  customValues!: Record<string, unknown>;
}
