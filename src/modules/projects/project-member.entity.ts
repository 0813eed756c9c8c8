import { Column, Entity } from 'typeorm';
import {
  Collection,
  Computed,
  Decimal,
  Id,
  Integer,
  Moment,
  type Ref,
  Reference,
} from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';
import { isOver, sql } from '../../sql.js';

@Resource({
  collection: 'ProjectMembers',
  filled: ['role'],
  key: ['project', 'user'],
  operations: 'CUD',
  visible: through('project'),
  description: "A user's part in a project.",
})
@Entity('project_member')
export class ProjectMember {
  @Id() id!: number;
  @Decimal({ initial: 0 }) weeklyAvailableHours!: string;
  @Moment({ description: 'Shown, and decides nothing.' }) membershipStartDate!: Date | null;
  @Moment({ description: 'Shown, and decides nothing.' }) membershipEndDate!: Date | null;
  @Integer({ initial: 0, description: 'Per cent.' }) allocation!: number;
  @Computed(
    'flag',
    (row) => sql`(coalesce(${row('membership_start_date')} <= now(), true)
      and coalesce(not ${isOver(row('membership_end_date'))}, true))`,
    { synthetic: true },
  )
  isActive!: boolean;
  /** When it became what it is; the database notes it. */
  @Column({ type: 'timestamptz', name: 'since', precision: 3, nullable: true }) since!: Date | null;
  @Reference('Project', { required: true }) project!: Ref;
  @Reference('User', { required: true }) user!: Ref;
  @Reference('Role', { required: true }) role!: Ref;
  @Collection('UserProjectAllocation', { by: 'projectMember' }) allocations!: unknown;
}
