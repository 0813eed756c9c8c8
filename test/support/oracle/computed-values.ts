/** Values that are worked out whenever they are read, from what the metadata say of them. */
import { textOrder } from './comparing.js';
import type { Row } from './dump.js';
import type { Thing, Value } from './world.js';
import { lastSecond, midnight } from './zone.js';

type Computed = (thing: Thing) => Value;

/** Of a field by its name, which is the same value wherever it stands. */
export function computedValue(field: string, thing: Thing): Value {
  const rule = rules[`${thing.resource.root.name}.${field}`] ?? rules[field];
  if (!rule) throw new Error(`${thing.resource.name}.${field} has no rule yet`);
  return rule(thing);
}

/** Worked out from a column that has another value. */
export const isReadOtherwise = (field: string, { resource }: Thing): boolean =>
  ['AvatarUri', 'DateTo'].includes(field) || (field === 'IsActive' && resource.root.name === 'GeneralUser');

/** Changes from one moment to the next, so that nothing can be compared with it. */
export const isVolatile = (field: string): boolean => field === 'ForecastEndDate';

const at = ({ row }: Thing, column: string): number | null => (row[column] as Date | null)?.getTime() ?? null;

const isWithin: Computed = (thing) => {
  const [start, end, { now }] = [at(thing, 'start_date'), at(thing, 'end_date'), thing.world.dump];
  return start !== null && end !== null && start <= now && !isOver(end, now);
};

/** An end means the whole of its second, and the start of a day the whole of it. */
const isOver = (end: number, now: number): boolean => end < now - (now % 1000) && end !== midnight(now, 0);

const daysTo =
  (from: string): Computed =>
  (thing) => {
    const [start, end] = [at(thing, from), at(thing, 'end_date')];
    return start === null || end === null ? null : (end - start) / 1000 / 86_400;
  };

const ofCase =
  (column: string): Computed =>
  ({ row, world }) =>
    (world.dump.row('general', row.test_case_id)?.[column] as string | null) ?? null;

const rules: Record<string, Computed> = {
  IsNow: isWithin,
  IsCurrent: isWithin,
  IsNext: (thing) => (at(thing, 'start_date') ?? Number.NEGATIVE_INFINITY) > thing.world.dump.now,
  IsPrevious: (thing) => isOver(at(thing, 'end_date') ?? Number.POSITIVE_INFINITY, thing.world.dump.now),
  LeadTime: daysTo('create_date'),
  CycleTime: daysTo('start_date'),
  Tags: ({ world: { dump }, id }) =>
    dump
      .having('general_tag', 'general_id', id)
      .map((link) => String(dump.row('tag', link.tag_id)!.name))
      .sort((a, b) => textOrder(a.toLowerCase(), b.toLowerCase()))
      .join(', '),
  /** A record that still holds ends with the calendar, whoever wrote it. */
  DateTo: (thing) => Math.min(at(thing, 'date_to')!, lastSecond),
  EntityId: ({ row }) => Number(row.general_id),
  FullName: ({ row }) => [row.first_name, row.last_name].filter((one) => one !== null && one !== '').join(' '),
  'ProjectMember.IsActive': (thing) => {
    const { now } = thing.world.dump;
    return (at(thing, 'membership_start_date') ?? now) <= now && !isOver(at(thing, 'membership_end_date') ?? now, now);
  },
  'ProjectAllocation.IsEffective': (thing) => {
    const { now } = thing.world.dump;
    return (at(thing, 'effective_start_date') ?? now) <= now && !isOver(at(thing, 'effective_end_date') ?? now, now);
  },
  'GeneralUser.IsActive': ({ row }) => row.is_active === true && row.delete_date === null,
  'LoginAttempt.Count': ({ row }) => (row.failures as unknown[]).length,
  'LoginAttempt.IsLocked': (thing) => (at(thing, 'locked_until') ?? 0) > thing.world.dump.now,
  IsLastStarted: ({ row, world }) =>
    !world.dump.having('general', 'test_plan_id', row.test_plan_id).some((one) => isLater(one, row)),
  'TestCaseRun.Name': ofCase('name'),
  'TestCaseRun.Description': ofCase('description'),
  AvatarUri: ({ row, id, world }) => world.dump.base + String(row.avatar_uri ?? `/avatar.ashx?UserID=${id}`),
  LastStatus: ({ row }) => ({ Passed: true, Failed: false })[String(row.last_run_status)] ?? null,
  Uri: ({ id, world }) => `${world.dump.base}/Attachment.aspx?AttachmentID=${id}`,
  ThumbnailUri: ({ row, id, world }) =>
    /^image\/(?:png|jpeg|gif|webp)$/.test(String(row.mime_type ?? ''))
      ? `${world.dump.base}/AttachmentThumbnail.aspx?AttachmentID=${id}`
      : null,
};

/** Another run of the same plan, in the same project, that was made later. */
const isLater = (one: Row, row: Row): boolean =>
  one.test_plan_id !== null &&
  one.entity_type_id === row.entity_type_id &&
  one.id > row.id &&
  one.delete_date === null &&
  one.project_id !== null &&
  one.project_id === row.project_id;
