/**
 * What the clocks of a zone show. The database spells the dates of answers, so its time-zone data count once they are
 * read (`database/zone-clocks.ts`): those of Node.js may be of another year.
 */

/** From this second on, clocks are so many seconds ahead of UTC; of the first one, before it as well. */
export interface ClockChange {
  readonly since: number;
  readonly ahead: number;
}

/** In the Gregorian calendar all days of the week recur after 400 years, and so do rules for clocks. */
const repeatSeconds = 146_097 * 86_400;

/** In seconds: from before clocks went by zones to where rules alone have been left for once around. */
export const covered = { from: Date.UTC(1800, 0) / 1000, until: Date.UTC(2500, 0) / 1000 };

const clocks = new Map<string, readonly ClockChange[]>();

/** In the order of time. */
export const setClocks = (timeZone: string, changes: readonly ClockChange[]): void =>
  void clocks.set(timeZone, changes);

export const hasClocks = (timeZone: string): boolean => clocks.has(timeZone);

/** Milliseconds that clocks in the zone are ahead of UTC at an instant. */
export function offsetAt(instant: number, timeZone: string): number {
  const changes = clocks.get(timeZone);
  return changes ? offsetIn(changes, instant) : offsetByNode(instant, timeZone);
}

function offsetIn(changes: readonly ClockChange[], instant: number): number {
  const behind = Math.floor(instant / 1000) - covered.until;
  const at = covered.until + (behind < 0 ? behind : (behind % repeatSeconds) - repeatSeconds);
  let [low, high] = [0, changes.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (changes[middle]!.since <= at) low = middle;
    else high = middle;
  }
  return changes[low]!.ahead * 1000;
}

const dayMs = 86_400_000;

/**
 * A line where the clocks of the zone are others by Node.js than by the database, in a year before now or in ten
 * behind it.
 */
export function disagreement(timeZone: string, now: number): string | undefined {
  if (!hasClocks(timeZone)) return undefined;
  for (let at = now - 365 * dayMs; at < now + 3650 * dayMs; at += dayMs) {
    const [ours, node] = [offsetAt(at, timeZone), offsetByNode(at, timeZone)];
    if (ours !== node)
      return `The clocks of ${timeZone} are at ${spelled(ours)} on ${new Date(at).toISOString().slice(0, 10)} by the \
time-zone data of PostgreSQL, which count, and at ${spelled(node)} by those of Node.js: one of them is old.`;
  }
  return undefined;
}

const spelled = (milliseconds: number): string =>
  `${milliseconds < 0 ? '-' : '+'}${new Date(Math.abs(milliseconds)).toISOString().slice(11, 16)}`;

function offsetByNode(instant: number, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(instant);
  const part = (type: string): number => Number(parts.find((one) => one.type === type)?.value);
  const local = new Date(0);
  // Date.UTC takes years below 100 for those of the twentieth century.
  local.setUTCFullYear(part('year'), part('month') - 1, part('day'));
  local.setUTCHours(part('hour'), part('minute'), part('second'));
  return local.getTime() - Math.floor(instant / 1000) * 1000;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than using it many times; a service has one zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const format = formats.get(timeZone) ?? newFormat(timeZone);
  formats.set(timeZone, format);
  return format;
}

const newFormat = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    era: 'short',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
