import { Column, Entity } from 'typeorm';
import { Id, Moment, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';

@Resource({
  collection: 'TeamMembers',
  filled: ['role'],
  key: ['team', 'user'],
  operations: 'CUD',
  visible: through('team'),
  description: "A user's part in a team.",
})
@Entity('team_member')
export class TeamMember {
  @Id() id!: number;
  @Moment({ description: 'Shown, and decides nothing.' }) startDate!: Date | null;
  @Moment({ description: 'Shown, and decides nothing.' }) endDate!: Date | null;
  /** When it became what it is; the database notes it. */
  @Column({ type: 'timestamptz', name: 'since', precision: 3, nullable: true }) since!: Date | null;
  @Reference('Team', { required: true }) team!: Ref;
  @Reference('User', { required: true }) user!: Ref;
  @Reference('Role', { required: true }) role!: Ref;
}
