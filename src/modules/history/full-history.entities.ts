import { ChildEntity, Column, Entity, TableInheritance } from 'typeorm';
import type { FieldDeclaration } from '../../model/declarations.js';
import {
  Choice,
  Decimal,
  Flag,
  Id,
  IdOf,
  Moment,
  type Ref,
  Reference,
  RichText,
  Text,
} from '../../model/field.decorators.js';
import { descending, Resource } from '../../model/resource.decorator.js';
import { through } from '../../model/visibility.js';
import { type RowExpression, sql } from '../../sql.js';
import { type HistoricKind, wordsOf } from './historic-kind.js';

export const modifications = ['Add', 'Update', 'Delete'] as const;

const fact = { readOnly: true } as const;
const past = { readOnly: true, loose: true } as const;
const changed = { readOnly: true, initial: false } as const;

/**
 * Of a record that still holds, the last second of the calendar by UTC and by the clocks of the service: what is stored
 * is that of the clocks by which it was written, which may have been in another zone.
 */
const endOfRecord: RowExpression = (row) => {
  const last = sql`least(timestamptz '9999-12-31 23:59:59', '9999-12-31 23:59:59Z')`;
  return sql`case when ${row('date_to')} > '9999-12-30 00:00:00+00' then ${last} else ${row('date_to')} end`;
};

/** An item as it was from `Date` to `DateTo`, and what changed then. The record that still holds ends in year 9999. */
@Resource({
  collection: 'FullHistories',
  isRecorded: false,
  readAs: { dateTo: endOfRecord },
  order: descending('date'),
  visible: through('general'),
  isListed: false,
  description: 'What an item was from one change of it to the next.',
})
@Entity('full_history')
@TableInheritance({ column: { type: 'int', name: 'entity_type_id' } })
export abstract class FullHistory {
  @Id() id!: number;
  @Text(fact) name!: string | null;
  @IdOf({ ...fact, required: true }) sourceEntityId!: number;
  @Moment({ ...fact, required: true }) date!: Date;
  @Moment({ ...fact, required: true }) dateTo!: Date;
  @Choice('ModificationEnum', modifications, { ...fact, required: true }) modification!: string;
  @RichText(fact) description!: string | null;
  @Moment(fact) startDate!: Date | null;
  @Moment(fact) endDate!: Date | null;
  @Decimal(fact) effort!: string | null;
  @Decimal(fact) effortCompleted!: string | null;
  @Decimal(fact) effortToDo!: string | null;
  @Decimal(fact) timeSpent!: string | null;
  @Decimal(fact) timeRemain!: string | null;
  /** By name, as far as they are known; read by `GetCustomValueString` of version 2. */
  @Column({ type: 'jsonb', name: 'custom_values', nullable: true }) customValues!: Record<string, unknown> | null;
  @Column({ type: 'text', array: true, name: 'changed_custom_values', nullable: true }) changedCustomValues!:
    | string[]
    | null;
  @Flag(changed) isChangedName!: boolean;
  @Flag(changed) isChangedDescription!: boolean;
  @Flag(changed) isChangedStartDate!: boolean;
  @Flag(changed) isChangedEndDate!: boolean;
  @Flag(changed) isChangedEffort!: boolean;
  @Flag({ ...changed, changeOf: 'project' }) isChangedProject!: boolean;
  @Flag(changed) isChangedEntityState!: boolean;
  @Flag(changed) isChangedPriority!: boolean;
  @Flag({ ...changed, changeOf: 'release' }) isChangedRelease!: boolean;
  @Flag({ ...changed, changeOf: 'iteration' }) isChangedIteration!: boolean;
  @Flag(changed) isChangedTeamIteration!: boolean;
  @Flag(changed) isChangedOwner!: boolean;
  @Reference('Project', past) project!: Ref;
  @Reference('EntityState', past) entityState!: Ref;
  @Reference('Priority', past) priority!: Ref;
  @Reference('Release', past) release!: Ref;
  @Reference('Iteration', past) iteration!: Ref;
  @Reference('TeamIteration', past) teamIteration!: Ref;
  @Reference('GeneralUser', past) owner!: Ref;
  @Reference('GeneralUser', past) modifier!: Ref;
  @Reference('General', { ...past, always: true, synthetic: true }) general!: Ref;
}

/** What some of the kinds have besides, as they declare it. */
const ofSomeKinds = [
  ...['plannedStartDate', 'plannedEndDate', 'initialEstimate', 'severity'],
  ...['portfolioEpic', 'epic', 'feature', 'userStory', 'build'],
];

/** `BugHistory` at `/BugHistories`, with the reference `CurrentBug`, which older clients call `Bug`. */
export function fullHistoryOf({ name, entityTypeId, property, fields }: HistoricKind): new () => FullHistory {
  const className = `${name}History`;
  const type = { [className]: class extends FullHistory {} }[className]!;
  for (const field of fields) if (ofSomeKinds.includes(field.property)) keep(field, type.prototype);
  Reference(name, { readOnly: true, narrows: 'general' })(type.prototype, `current${name}`);
  Reference(name, { readOnly: true, narrows: 'general', synthetic: true, deprecated: true })(type.prototype, property);
  ChildEntity(entityTypeId)(type);
  const description = `What each ${wordsOf(name)} was from one change of it to the next.`;
  Resource({ collection: `${name}Histories`, isListed: false, description })(type);
  return type;
}

/** The field as it was, and whether it changed. */
function keep(field: FieldDeclaration, history: FullHistory): void {
  const { property, name } = field;
  if (field.kind === 'reference') Reference(field.target, past)(history, property);
  else if (field.kind === 'scalar') (field.scalar === 'moment' ? Moment : Decimal)(fact)(history, property);
  const changeOf = field.kind === 'reference' ? property : undefined;
  Flag({ ...changed, changeOf })(history, `isChanged${name}`);
}
