/** Iterations last whole days, and one project or team has one at a time. */
import { type Change, current, currentValue, type Restoral, refuse, type Work } from '../../command/change.js';
import { conflict } from '../../errors.js';
import { firstOfDay, lastSecondOfDay, localDay, localTime } from '../../texts/local-times.js';

const dayMs = 86_400_000;

/** From the first second of the first day to the last of the last; both count. */
export function iterationDays(change: Change): void {
  const { values, timeZone } = change;
  if (values.startDate instanceof Date) values.startDate = firstOfDay(values.startDate, timeZone);
  if (values.endDate instanceof Date) values.endDate = lastSecondOfDay(values.endDate, timeZone);
  for (const property of ['startDate', 'endDate'] as const) {
    const before = change.before?.[property === 'startDate' ? 'start_date' : 'end_date'];
    if (before instanceof Date && values[property] instanceof Date && before.getTime() === values[property].getTime()) {
      delete values[property];
    }
  }
  if (values.startDate === undefined && values.endDate === undefined) return;
  const [start, end] = [currentValue<Date>(change, 'startDate'), currentValue<Date>(change, 'endDate')];
  if (!start || !end) return;
  const [first, last] = [start, end].map((date) => Date.parse(localDay(date, timeZone)));
  values.duration = Math.round((last! - first!) / dayMs) + 1;
}

interface Span {
  id: number;
  owner: number;
  name: string;
  start_date: Date;
  end_date: Date;
}

export async function refuseOverlaps(changes: readonly Change[], work: Work): Promise<void> {
  const { resource } = changes[0]!;
  const property = resource.settings.spanOf!;
  const moved = changes.filter(({ values }) => values.startDate || values.endDate || values[property]);
  if (moved.length === 0) return;
  const owners = [...new Set(moved.map((change) => current(change, property) ?? 0))].sort((a, b) => a - b);
  await lockTimes(owners, work);
  const others = await work.rows<Span>(
    `select id, ${property}_id as owner, name, start_date, end_date from general
     where entity_type_id = $1::int and ${property}_id = any($2::bigint[]) and delete_date is null and not id = any($3::bigint[])`,
    [resource.settings.entityTypeId, owners, moved.flatMap(({ id }) => id ?? [])],
  );
  const taken = [...others];
  for (const change of moved) {
    const span = spanOf(change, property);
    if (!span) continue;
    const [earliest] = taken
      .filter((one) => one.owner === span.owner && one.start_date <= span.end_date && span.start_date <= one.end_date)
      .sort((one, other) => one.start_date.getTime() - other.start_date.getTime() || one.id - other.id);
    if (earliest) throw refuse(change, 'StartDate', overlap(change, span, earliest));
    taken.push(span);
  }
}

/** While an iteration was deleted its time was free. What a project brings back had been there together. */
export async function refuseRestoredOverlaps(restorals: readonly Restoral[], work: Work): Promise<void> {
  const own = restorals.filter(({ before }) => before !== undefined);
  if (own.length === 0) return;
  const column = `${own[0]!.resource.settings.spanOf}_id`;
  const owners = [...new Set(own.map(({ before }) => before![column] as number))].sort((a, b) => a - b);
  await lockTimes(owners, work);
  const [overlap] = await work.rows<{ id: number; other: number; name: string }>(
    `select r.id, o.id as other, o.name from general r join general o on o.${column} = r.${column} and o.id <> r.id
       and o.entity_type_id = r.entity_type_id and o.delete_date is null
       and o.start_date <= r.end_date and r.start_date <= o.end_date
     where r.id = any($1::bigint[]) order by r.id, o.start_date, o.id limit 1`,
    [own.map(({ id }) => id)],
  );
  const restoral = overlap && own.find(({ id }) => id === overlap.id);
  if (restoral) {
    const { path, resource, id } = restoral;
    throw conflict(
      `${path}Id: the days of ${resource.name} ${id} overlap those of '${overlap.name}' (${overlap.other}).`,
    );
  }
}

/** Two requests must not each find the time of the other still free. */
async function lockTimes(owners: readonly number[], { rows }: Work): Promise<void> {
  await rows(`select pg_advisory_xact_lock(hashtextextended('worktrack.iterations', o)) from unnest($1::bigint[]) o`, [
    owners,
  ]);
}

function spanOf(change: Change, property: string): Span | undefined {
  const [start, end] = [currentValue<Date>(change, 'startDate'), currentValue<Date>(change, 'endDate')];
  const owner = current(change, property);
  if (!start || !end || owner === undefined) return undefined;
  return {
    id: change.id ?? 0,
    owner,
    name: currentValue<string>(change, 'name') ?? '',
    start_date: start,
    end_date: end,
  };
}

/** In days; but times are shown where another zone has left no whole ones. */
function overlap({ timeZone }: Change, span: Span, other: Span): string {
  const days = ({ start_date: start, end_date: end }: Span) => {
    const isWhole =
      start.getTime() === firstOfDay(start, timeZone).getTime() &&
      end.getTime() === lastSecondOfDay(end, timeZone).getTime();
    return [start, end].map((date) => (isWhole ? localDay : localTime)(date, timeZone)).join(' – ');
  };
  return `'${span.name}' start/end dates (${days(span)}) are invalid. The period overlaps '${other.name}' (${days(other)}).`;
}
