/**
 * Collects rows and inserts them table by table, set-based; ids are given here, so that rows can refer to one another
 * at once.
 */
import type { ClientBase } from 'pg';
import { localDay, zonedInstant } from '../../../texts/local-times.js';

export type DemoRow = Record<string, unknown>;

export class DemoWriter {
  private readonly tables = new Map<string, DemoRow[]>();
  private readonly ids = new Map<string, number>();
  private seed = 20_260_101;

  /** The local day of now. */
  private readonly today: number;

  constructor(
    readonly now: Date,
    private readonly timeZone: string,
  ) {
    this.today = Date.parse(localDay(now, timeZone));
  }

  /** Adds a row and returns its id. */
  add(table: string, row: DemoRow): number {
    const id = (this.ids.get(table) ?? firstIds[table] ?? 0) + 1;
    this.ids.set(table, id);
    this.rows(table).push({ id, ...row });
    return id;
  }

  /** A row of a table without an id of its own. */
  link(table: string, row: DemoRow): void {
    this.rows(table).push(row);
  }

  rows(table: string): DemoRow[] {
    const rows = this.tables.get(table) ?? [];
    this.tables.set(table, rows);
    return rows;
  }

  /** From 0 up to but not including `below`; the same numbers in every run. */
  random(below: number): number {
    // A small linear congruential generator: demonstration data needs variety, not chance.
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.seed / 2 ** 32) * below);
  }

  pick<T>(from: readonly T[]): T {
    return from[this.random(from.length)]!;
  }

  chance(percent: number): boolean {
    return this.random(100) < percent;
  }

  /** Some days from now, at an hour of the working day. */
  day(days: number, hour = 8 + this.random(9)): Date {
    return this.local(days, [hour, this.random(60), this.random(60)]);
  }

  /** Midnight, some days from now. */
  midnight(days: number): Date {
    return this.local(days, [0, 0, 0]);
  }

  /** The days from today to the Monday of this week. */
  get monday(): number {
    return -((new Date(this.today).getUTCDay() + 6) % 7);
  }

  private local(days: number, time: readonly number[]): Date {
    const day = new Date(this.today + days * dayMs).toISOString().slice(0, 10);
    return zonedInstant(`${day} ${time.map((part) => String(part).padStart(2, '0')).join(':')}`, this.timeZone);
  }

  async flush(client: ClientBase): Promise<void> {
    const responsible = this.withoutResponsibleTeams();
    const order = [...this.tables.keys()].sort((a, b) => turnOf(a) - turnOf(b));
    for (const table of order) await this.insert(client, table, this.rows(table));
    await client.query(
      `update general g set responsible_team_id = r.team from jsonb_to_recordset($1) r (id bigint, team bigint) where r.id = g.id`,
      [JSON.stringify(responsible)],
    );
    this.tables.clear();
  }

  /** An item refers to its team assignment and that to the item: one of them must come later. */
  private withoutResponsibleTeams(): DemoRow[] {
    const pairs: DemoRow[] = [];
    for (const row of this.rows('general')) {
      if (row.responsible_team_id !== undefined) pairs.push({ id: row.id, team: row.responsible_team_id });
      delete row.responsible_team_id;
    }
    return pairs;
  }

  private async insert(client: ClientBase, table: string, rows: readonly DemoRow[]): Promise<void> {
    if (rows.length === 0) return;
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
    const names = columns.map((column) => `"${column}"`).join(', ');
    // The row type is told by an empty look-up: `null::"time"` would mean the time of day.
    await client.query(
      `insert into "${table}" (${names}) select ${names}
       from jsonb_populate_recordset((select t from "${table}" t limit 0), $1::jsonb)`,
      [JSON.stringify(rows)],
    );
    if (!this.ids.has(table)) return;
    await client.query(`select setval(pg_get_serial_sequence('"${table}"', 'id'), (select max(id) from "${table}"))`);
  }
}

const dayMs = 86_400_000;

/** What a value is searched as depends on its definition. */
const early = new Set(['custom_field']);

const turnOf = (table: string): number => Number(late.has(table)) - Number(early.has(table));

/** Tables that refer to others which are noted after them. */
const late = new Set(['time', 'test_case_run', 'test_step_run', 'test_case_run_bug', 'comment']);

/** Ids that stock rows have taken. */
const firstIds: Record<string, number> = { general_user: 2 };
