import { ChildEntity } from 'typeorm';
import { bases } from '../../model/bases.js';
import { Computed, Decimal } from '../../model/field.decorators.js';
import { forecastOfSpan, isUnderWay } from '../generals/end-dates.js';
import { General, unitsField } from '../generals/general.entity.js';
import { spanTotals } from './span-totals.js';

const total = { readOnly: true, initial: 0, recorded: false } as const;

/** A span of time with totals of the work in it. Not a resource of its own. */
@ChildEntity(bases.timebox)
export abstract class Timebox extends General {
  @Decimal(total) effort!: string;
  @Decimal(total) effortCompleted!: string;
  @Decimal(total) effortToDo!: string;
  @Computed('flag', isUnderWay, { description: 'Started and not yet ended.' }) isCurrent!: boolean;
  @Decimal(total) progress!: string;
  @unitsField() units!: string;
  @forecastOfSpan(spanTotals.progress) forecastEndDate!: Date | null;
}
