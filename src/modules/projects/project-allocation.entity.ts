import { Entity, TableInheritance } from 'typeorm';
import { Computed, Id, Integer, Moment, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';
import { isOver, sql } from '../../sql.js';

const fact = { readOnly: true } as const;

/** How much of a user or of a team a project may count on, and when: a view of its members and teams. */
@Resource({
  collection: 'ProjectAllocations',
  visible: through('project'),
  isView: true,
  description: 'What a project may count on of a user or of a team.',
})
@Entity({ name: 'project_allocation', synchronize: false })
@TableInheritance({ column: { type: 'int', name: 'entity_type_id' } })
export abstract class ProjectAllocation {
  @Id() id!: number;
  @Moment(fact) startDate!: Date | null;
  @Moment(fact) endDate!: Date | null;
  @Moment({ ...fact, description: 'Without a start of its own, that of the project.' })
  effectiveStartDate!: Date | null;
  @Moment({ ...fact, description: 'Without an end of its own, that of the project.' }) effectiveEndDate!: Date | null;
  @Integer({ ...fact, initial: 0, description: 'Per cent.' }) percentage!: number;
  @Computed(
    'flag',
    (row) => sql`(coalesce(${row('effective_start_date')} <= now(), true)
      and coalesce(not ${isOver(row('effective_end_date'))}, true))`,
  )
  isEffective!: boolean;
  @Reference('Project', { ...fact, always: true }) project!: Ref;
}
