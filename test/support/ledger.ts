/**
 * Writers that keep a ledger under a fault: each write has a key and names of its own, and what was answered is
 * compared with what is stored.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { expect } from 'vitest';
import { command } from './command.js';
import { eventually } from './eventually.js';

export const adminHeaders = {
  authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
  'content-type': 'application/json',
};

type Outcome = 'stored' | 'refused' | 'unknown';

interface Entry {
  readonly key: string;
  readonly path: string;
  readonly body: string;
  readonly names: readonly string[];
  outcome: Outcome;
}

/** How many of each are at work. */
interface Load {
  readonly writers?: number;
  readonly bulkWriters?: number;
  readonly readers?: number;
}

const bulkSize = 40;

export class Ledger {
  /** Answers by what they were: `GET 200`, `POST 503`, `POST none`. */
  readonly answers = new Map<string, number>();
  private readonly entries: Entry[] = [];
  /** Several ledgers may be kept in one database. */
  private readonly mark = `ledger ${randomBytes(4).toString('hex')}`;
  private isOver = false;
  private workers: Promise<void>[] = [];

  private constructor(
    private base: string,
    private readonly project: number,
  ) {}

  static async start(base: string, { writers = 0, bulkWriters = 0, readers = 0 }: Load): Promise<Ledger> {
    const body = JSON.stringify({ Name: 'ledger' });
    const made = await fetch(`${base}/api/v1/Projects?format=json`, { method: 'POST', headers: adminHeaders, body });
    const ledger = new Ledger(base, ((await made.json()) as { Id: number }).Id);
    const workers = (count: number, work: (name: string) => Promise<void>, kind: string) =>
      Array.from({ length: count }, (_, at) => ledger.repeat(work, `${kind} ${at}`));
    ledger.workers = [
      ...workers(writers, (name) => ledger.write(name, 1), 'one'),
      ...workers(bulkWriters, (name) => ledger.write(name, bulkSize), 'bulk'),
      ...workers(readers, () => ledger.read(), 'read'),
    ];
    return ledger;
  }

  /** The service has another address now. */
  moveTo(base: string): void {
    this.base = base;
  }

  /** Further answers of that kind, such as `POST 201`. */
  async goesOn(kinds: readonly string[] = ['POST 201', 'GET 200'], more = 5): Promise<void> {
    const before = kinds.map((kind) => this.count(kind));
    await eventually(async () => {
      for (const [at, kind] of kinds.entries())
        expect([kind, this.count(kind) > before[at]! + more]).toEqual([kind, true]);
    }, 60_000);
  }

  count(kind: string): number {
    return this.answers.get(kind) ?? 0;
  }

  /** Bulk requests that are under way. */
  get bulksUnderWay(): number {
    return this.entries.filter(({ names, outcome }) => names.length > 1 && outcome === 'unknown').length;
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.workers);
  }

  /** Writes whose outcome nobody knows are sent once more with their keys: then each is stored. */
  async settle(): Promise<void> {
    for (const entry of this.entries.filter(({ outcome }) => outcome === 'unknown'))
      await eventually(async () => {
        await this.send(entry);
        expect([entry.key, entry.outcome]).toEqual([entry.key, 'stored']);
      }, 60_000);
  }

  /**
   * Every write that was answered 2xx is there once and whole, every one that was refused is not, groups are whole or
   * absent, totals are right.
   */
  async check(databaseUrl: string): Promise<void> {
    const stored = await storedStories(databaseUrl, this.mark);
    const wrong = this.entries.flatMap(({ key, names, outcome }) => {
      const there = names.filter((name) => stored.has(name)).length;
      const isWhole = there === names.length;
      const isRight = { stored: isWhole, refused: there === 0, unknown: there === 0 || isWhole }[outcome];
      return isRight ? [] : [`${key} is ${outcome}: ${there} of ${names.length}`];
    });
    expect(wrong).toEqual([]);
    expect([...stored].filter(([, shape]) => shape !== '1 story, 1 task')).toEqual([]);
    const sent = new Set(this.entries.flatMap(({ names }) => names));
    expect([...stored.keys()].filter((name) => !sent.has(name))).toEqual([]);
    expect(await command({ DATABASE_URL: databaseUrl }, ['doctor'])).toMatchObject({ code: 0 });
  }

  private async repeat(work: (name: string) => Promise<void>, name: string): Promise<void> {
    for (let at = 0; !this.isOver; at++) await work(`${this.mark} ${name}-${at}`);
  }

  private async read(): Promise<void> {
    const answer = await this.ask('GET', 'UserStories?include=[Id,Name,Tasks[Name]]&take=25');
    // Nobody listens at the moment.
    if (answer === 'none') await pause(20);
  }

  private write(key: string, count: number): Promise<void> {
    const names = Array.from({ length: count }, (_, at) => (count === 1 ? key : `${key}.${at}`));
    const stories = names.map((Name) => ({
      Name,
      Project: { Id: this.project },
      Tasks: [{ Name, RoleEfforts: [{ Role: { Id: 1 }, Effort: 1 }] }],
    }));
    const isBulk = count > 1;
    const body = JSON.stringify(isBulk ? stories : stories[0]);
    const path = `UserStories${isBulk ? '/bulk' : ''}?include=[Id]`;
    const entry: Entry = { key: key.replaceAll(' ', '-'), path, body, names, outcome: 'unknown' };
    this.entries.push(entry);
    return this.sendUntilKnown(entry);
  }

  /** Whoever gets no answer sends the same with the same key again. */
  private async sendUntilKnown(entry: Entry): Promise<void> {
    for (;;) {
      await this.send(entry);
      if (entry.outcome !== 'unknown' || this.isOver) return;
      await pause(20);
    }
  }

  private async send(entry: Entry): Promise<void> {
    const answer = await this.ask('POST', entry.path, entry.body, entry.key);
    if (/^2/.test(answer)) entry.outcome = 'stored';
    else entry.outcome = ['none', 'unknown'].includes(answer) ? 'unknown' : 'refused';
  }

  /** Its status; `unknown` where the service itself does not know, `none` where there was no answer. */
  private async ask(method: string, path: string, body?: string, key?: string): Promise<string> {
    const headers = key === undefined ? adminHeaders : { ...adminHeaders, 'idempotency-key': key };
    const url = `${this.base}/api/v1/${path}&format=json`;
    // A connection that is handed to a process in the moment it is killed is never answered.
    const answer = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(20_000) })
      .then(async (response) => {
        await response.text();
        const isUnknown = response.status === 503 && !response.headers.has('retry-after');
        return isUnknown ? 'unknown' : String(response.status);
      })
      .catch(() => 'none');
    this.answers.set(`${method} ${answer}`, this.count(`${method} ${answer}`) + 1);
    return answer;
  }
}

/** Stories of a ledger by their names, and how often they and their tasks are there. */
async function storedStories(databaseUrl: string, mark: string): Promise<Map<string, string>> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client
    .query<{ name: string; stories: number; tasks: number }>(
      `select s.name, count(distinct s.id)::int as stories, count(t.id)::int as tasks
       from general s left join general t on t.user_story_id = s.id and t.name = s.name
       where s.entity_type_id = 4 and s.name like $1 group by s.name`,
      [`${mark} %`],
    )
    .finally(() => client.end());
  return new Map(rows.map(({ name, stories, tasks }) => [name, `${stories} story, ${tasks} task`]));
}
