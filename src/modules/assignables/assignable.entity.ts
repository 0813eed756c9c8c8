import { ChildEntity } from 'typeorm';
import { bases } from '../../model/bases.js';
import { Collection, Decimal, editable, Moment, type Ref, Reference } from '../../model/field.decorators.js';
import { Resource } from '../../model/resource.decorator.js';
import { membershipOf } from '../../model/visibility.js';
import { sql } from '../../sql.js';
import { endOfPlannedDay } from '../../texts/local-times.js';
import { cycleTimeField, forecastField, leadTimeField } from '../generals/end-dates.js';
import { General, unitsField } from '../generals/general.entity.js';

const total = { readOnly: true, initial: 0, recorded: false } as const;

/** What people and teams are assigned to and what effort and time are kept for. */
@Resource({
  collection: 'Assignables',
  stays: ['entityState'],
  operations: 'UD',
  visible: membershipOf('assignedTeams', 'team'),
  description: 'Base of all work items.',
})
@ChildEntity(bases.assignable)
export abstract class Assignable extends General {
  @Decimal({ recorded: false, initial: 0, description: 'Sum of RoleEfforts; writing it is writing the only one.' })
  effort!: string;
  @Decimal(total) effortCompleted!: string;
  @Decimal(total) effortToDo!: string;
  @Decimal({ ...total, description: 'From 0 to 1.' }) progress!: string;
  @Decimal({ ...total, description: 'Hours.' }) timeSpent!: string;
  @Decimal({ ...total, description: 'Hours.' }) timeRemain!: string;
  @Moment({ recorded: false, readOnly: true }) lastStateChangeDate!: Date | null;
  @Moment() plannedStartDate!: Date | null;
  @Moment({ standsFor: endOfPlannedDay }) plannedEndDate!: Date | null;
  @unitsField() units!: string;
  @leadTimeField() leadTime!: number | null;
  @cycleTimeField() cycleTime!: number | null;
  @forecastField(
    (row) => row('progress'),
    (row) => sql`${row('end_date')} is null`,
  )
  forecastEndDate!: Date | null;

  @Reference('Release') release!: Ref;
  @Reference('Iteration') iteration!: Ref;
  @Reference('TeamIteration') teamIteration!: Ref;
  @Reference('Team', { deprecated: true, description: 'Use AssignedTeams and ResponsibleTeam.' }) team!: Ref;
  @Reference('Priority') priority!: Ref;
  @Reference('EntityState', { listedWithin: 'project', ofKind: 'entityType' }) entityState!: Ref;
  @Reference('TeamAssignment', { readOnly: true }) responsibleTeam!: Ref;

  @Collection(
    'GeneralUser',
    { through: 'Assignment', from: 'assignable', to: 'generalUser' },
    { joinedBy: { links: 'assignments', item: 'generalUser' } },
  )
  assignedUser!: unknown;
  @Collection('Assignment', { by: 'assignable' }, editable) assignments!: unknown;
  @Collection('Impediment', { by: 'assignable' }) impediments!: unknown;
  @Collection('Time', { by: 'assignable' }) times!: unknown;
  @Collection('RoleEffort', { by: 'assignable' }, editable) roleEfforts!: unknown;
  @Collection('AssignedEffort', { by: 'assignable' }) assignedEfforts!: unknown;
  @Collection('Revision', { table: 'revision_assignable', from: 'assignable_id', to: 'revision_id' }, { inverse: true })
  revisions!: unknown;
  @Collection('TeamAssignment', { by: 'assignable' }, editable) assignedTeams!: unknown;
  @Collection('TeamAssignment', { by: 'assignable' }, { ...editable, deprecated: true }) teamStates!: unknown;
}
