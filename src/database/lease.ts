/**
 * The right of one process at a time to do the background work of all. A row in the database holds it; the clock is
 * that of the database. It ends by itself where its holder does not take it again, so nobody waits for a process that
 * is gone. One that would last longer than any is from before the clock went back.
 */
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { commitsLocally } from './local-commit.js';

export class Lease {
  private readonly holder = randomUUID();
  /** Whether it was ever taken, also by what is not answered yet. */
  private wasTaken: Promise<boolean> = Promise.resolve(false);

  constructor(
    private readonly pool: Pick<Pool, 'query'>,
    private readonly name: string,
    private readonly seconds: number,
  ) {}

  /** Whether this process holds it from now on, for as many seconds. */
  take(): Promise<boolean> {
    const taken = this.ask();
    const before = this.wasTaken;
    this.wasTaken = taken.catch(() => false).then(async (is) => (await before) || is);
    return taken;
  }

  /** Behind what takes it now. */
  async giveBack(): Promise<void> {
    if (await this.wasTaken) await this.pool.query(giveBack, [`lease ${this.name}`, this.holder]);
  }

  private async ask(): Promise<boolean> {
    const { rowCount } = await this.pool.query(take, [`lease ${this.name}`, this.holder, this.seconds]);
    return rowCount === 1;
  }
}

/** `now()` would be the time before waiting for the row, so a lease taken while waiting would seem to last too long. */
const take = `insert into setting as s (name, value)
  select $1::text, jsonb_build_object('holder', $2::text, 'until', clock_timestamp() + make_interval(secs => $3::int))
  where ${commitsLocally}
  on conflict (name) do update set value = excluded.value
    where s.value ->> 'holder' = $2::text
      or (s.value ->> 'until')::timestamptz
        not between clock_timestamp() and clock_timestamp() + make_interval(secs => $3::int)
  returning name`;

const giveBack = `delete from setting where name = $1::text and value ->> 'holder' = $2::text
  and ${commitsLocally}`;
