/** Lets the service read local times by the clocks that the database spells dates by. */
import { type ClockChange, covered, disagreement, hasClocks, setClocks } from '../texts/clocks.js';

/** Runs a statement on a connection whose zone is that of the service. */
type Ask = (text: string) => Promise<unknown[]>;

export async function readClocks(timeZone: string, ask: Ask): Promise<void> {
  if (timeZone === 'UTC' || hasClocks(timeZone)) return;
  const changes = isUtc.test(timeZone) ? [{ since: covered.from, ahead: 0 }] : await ask(changesOfClocks);
  setClocks(timeZone, changes as ClockChange[]);
}

/** Other names of UTC. */
const isUtc = /^(?:etc\/)?(?:utc|uct|gmt|gmt[+-]?0|greenwich|universal|zulu)$/i;

/** A line where those of Node.js are others about now. */
export async function differingClocks(timeZone: string, ask: Ask): Promise<string | undefined> {
  await readClocks(timeZone, ask);
  if (!hasClocks(timeZone)) return undefined;
  const [{ now }] = (await ask('select extract(epoch from now())::float8 * 1000 as now')) as [{ now: number }];
  return disagreement(timeZone, now);
}

/** Nowhere have clocks changed twice within three days; where rules alone are left, they change by season. */
const steps = [
  { from: covered.from, until: Date.UTC(2100, 0) / 1000, days: 3 },
  { from: Date.UTC(2100, 0) / 1000, until: covered.until, days: 14 },
];

const looks = steps
  .map(({ from, until, days }) => `select generate_series(${from}::bigint, ${until}, ${days * 86_400}) as at`)
  .join(' union ');

const ahead = (at: string): string => `extract(timezone from to_timestamp(${at}))::int`;

/** Between two looks that differ, the second of the change is found by halves. */
const changesOfClocks = `with recursive look as (select at, ${ahead('at')} as ahead from (${looks}) as looks),
  change (before, behind, was) as (
    select before, at, was
    from (select at, ahead, lag(at) over backwards as before, lag(ahead) over backwards as was
      from look window backwards as (order by at)) as neighbours
    where ahead <> was
    union all
    select case when middle_is = was then middle else before end, case when middle_is = was then behind else middle end, was
    from change, lateral (select (before + behind) / 2 as middle) m, lateral (select ${ahead('middle')} as middle_is) i
    where behind - before > 1
  )
  select since::float8 as since, ahead from (
    select min(at) as since, ${ahead('min(at)')} as ahead from look
    union all select behind, ${ahead('behind')} from change where behind - before = 1
  ) as changes order by since`;
