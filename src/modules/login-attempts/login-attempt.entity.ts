import { Column, Entity } from 'typeorm';
import { Computed, Id, Moment, Text } from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { administrators } from '../../model/visibility.js';
import { sql } from '../../sql.js';

/**
 * The wrong passwords that were given for a login of late, whether or not anybody has it. Deleting it unlocks the
 * login.
 */
@Resource({
  collection: 'LoginAttempts',
  isRecorded: false,
  operations: 'D',
  order: descending('lastDate'),
  visible: administrators,
  isConfiguration: true,
  description: 'Wrong passwords by login. Delete one to unlock its login.',
})
@Entity('login_attempt')
export class LoginAttempt {
  @Id() id!: number;
  @Text({ max: 512, required: true, readOnly: true, description: 'In lower case.' }) login!: string;
  @Moment({ required: true, readOnly: true }) lastDate!: Date;
  @Moment({ readOnly: true, description: 'Until then every password is refused.' }) lockedUntil!: Date | null;
  @Computed('integer', (row) => sql`cardinality(${row('failures')})`) count!: number;
  @Computed('flag', (row) => sql`coalesce(${row('locked_until')} > now(), false)`) isLocked!: boolean;

  /** When the last ones were, oldest first; those that led to a lock no longer count. */
  @Column({ type: 'timestamptz', name: 'failures', array: true }) failures!: Date[];
}
