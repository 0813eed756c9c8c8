/**
 * An upgrade under load: the released version and this one serve one database while it is migrated; nothing is lost,
 * nothing fails.
 */
import 'reflect-metadata';
import pg from 'pg';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSource } from '../../src/database/data-source.js';
import { migrate } from '../../src/database/migrate.js';
import { IndexMigration } from '../../src/database/migrations/index-migration.js';
import { migrations } from '../../src/database/migrations/migrations.js';
import { eventually } from '../support/eventually.js';
import { ReleasedBuild, releasedCommit } from '../support/released-build.js';
import { ScratchDatabase } from '../support/scratch-database.js';
import { Service } from '../support/service.js';

/** What a version after this one may do to the schema: it adds. */
class Expands2700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table general add column expanded text');
  }
  async down(): Promise<void> {}
}

class Indexes2700000000002 extends IndexMigration {
  name = 'Indexes2700000000002';
  indexes = [{ name: 'ix_general_expanded', on: 'general (lower(name), expanded)' }];
}

const headers = {
  authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}`,
  'content-type': 'application/json',
};

/** Writers and readers of all services that are up, and what these have answered. */
class Load {
  readonly bases: string[] = [];
  readonly created = new Map<string, number>();
  readonly edits = new Map<number, string>();
  readonly refused = new Set<string>();
  readonly failures = new Set<string>();
  readonly answers = new Map<string, number>();
  /** Where each worker is. */
  private readonly underWay: string[] = [];
  private isOver = false;
  private readonly workers: Promise<void>[];

  private constructor(
    first: string,
    private readonly project: number,
    count: number,
  ) {
    this.bases.push(first);
    this.workers = Array.from({ length: count }, (_, worker) => this.work(worker));
  }

  static async on(base: string, count: number): Promise<Load> {
    const body = JSON.stringify({ Name: 'upgraded' });
    const made = await fetch(`${base}/api/v1/Projects?format=json`, { method: 'POST', headers, body });
    return new Load(base, ((await made.json()) as { Id: number }).Id, count);
  }

  /** Answers of that service, further ones. */
  async goesOn(base: string, more = 20): Promise<void> {
    const before = this.answers.get(base) ?? 0;
    await eventually(async () => expect(this.answers.get(base) ?? 0).toBeGreaterThan(before + more), 60_000);
  }

  /** Nothing is sent to it any more, and what was sent is answered. */
  async withdraw(base: string): Promise<void> {
    this.bases.splice(this.bases.indexOf(base), 1);
    await eventually(async () => expect(this.underWay.filter((one) => one === base)).toEqual([]), 60_000);
  }

  async end(): Promise<void> {
    this.isOver = true;
    await Promise.all(this.workers);
  }

  private async work(worker: number): Promise<void> {
    for (let at = 0; !this.isOver; at++) {
      const base = this.bases[at % this.bases.length]!;
      this.underWay[worker] = base;
      await this.round(base, `ledger ${worker}-${at}`);
    }
  }

  private async round(base: string, Name: string): Promise<void> {
    const id = await this.create(base, Name);
    if (id === undefined) return;
    const Description = `edited ${Name}`;
    if (await this.ask(base, `UserStories/${id}`, { Description })) this.edits.set(id, Description);
    await this.ask(base, `UserStories?where=(Name eq '${Name}')&include=[Name,Effort,Project[Name]]`);
  }

  private async create(base: string, Name: string): Promise<number | undefined> {
    const answer = await this.ask(base, 'UserStories', { Name, Project: { Id: this.project } });
    if (answer) this.created.set(Name, answer.Id);
    else this.refused.add(Name);
    return answer?.Id;
  }

  private async ask(base: string, path: string, body?: object): Promise<{ Id: number } | undefined> {
    const url = `${base}/api/v1/${path}${path.includes('?') ? '&' : '?'}format=json`;
    const answer = await fetch(url, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
    this.answers.set(base, (this.answers.get(base) ?? 0) + 1);
    const content = (await answer.json()) as { Id: number };
    if (answer.ok) return content;
    this.failures.add(`${answer.status} ${(content as { Message?: string }).Message}`);
    return undefined;
  }
}

const commit = releasedCommit();

describe.skipIf(!commit)('the version that was released and this one, side by side', { timeout: 300_000 }, () => {
  let released: ReleasedBuild;
  let database: ScratchDatabase;
  const running = new Set<Service>();

  beforeAll(async () => {
    released = ReleasedBuild.make(commit!);
    database = await ScratchDatabase.empty();
  }, 180_000);
  afterAll(async () => {
    for (const service of running) service.kill('SIGKILL');
    await Promise.all([...running].map(({ ended }) => ended));
    await database.drop();
    released.remove();
  });

  async function start(script: string): Promise<{ service: Service; base: string }> {
    const service = Service.spawn({ DATABASE_URL: database.url, DEMO_DATA: 'true' }, script);
    running.add(service);
    return { service, base: await service.address() };
  }

  async function stop(service: Service): Promise<void> {
    service.kill('SIGTERM');
    expect((await service.ended).code).toBe(0);
    running.delete(service);
  }

  async function rows<T extends object>(text: string): Promise<T[]> {
    const client = new pg.Client(database.url);
    await client.connect();
    return (await client.query<T>(text).finally(() => client.end())).rows;
  }

  async function migrateOn(): Promise<string[]> {
    const source = createDataSource(database.url, { timeZone: 'UTC', pool: 2, statementTimeoutMs: 0 });
    source.setOptions({ migrations: [...migrations, Expands2700000000001, Indexes2700000000002] });
    await source.initialize();
    return migrate(source).finally(() => source.destroy());
  }

  it('F16: lose nothing and refuse nothing while the schema grows', async () => {
    const old = await start(released.script('main.js'));
    const load = await Load.on(old.base, 4);
    await load.goesOn(old.base);
    const current = await start('main.js');
    load.bases.push(current.base);
    await load.goesOn(current.base);
    expect(await migrateOn()).toEqual(['Expands2700000000001', 'Indexes2700000000002']);
    await load.goesOn(old.base);
    await load.goesOn(current.base);

    await load.withdraw(old.base);
    await stop(old.service);
    const again = await start(released.script('main.js'));
    load.bases.push(again.base);
    await load.goesOn(again.base);
    await load.end();

    expect([...load.failures]).toEqual([]);
    const stored = await rows<{ id: string; name: string; description: string }>(
      `select id, name, description from general where entity_type_id = 4 and name like 'ledger %'`,
    );
    expect(new Map(stored.map(({ name, id }) => [name, Number(id)]))).toEqual(load.created);
    expect(stored).toHaveLength(load.created.size);
    expect(new Map(stored.map(({ id, description }) => [Number(id), description]))).toEqual(load.edits);
    expect(load.refused.size).toBe(0);
    for (const { service } of [current, again]) await stop(service);
  });

  it('are refused in one line by a schema that needs a newer one', async () => {
    await rows(`update schema_compatibility set oldest = 'Indexes2700000000002'`);
    for (const script of [released.script('main.js'), 'main.js']) {
      const service = Service.spawn({ DATABASE_URL: database.url }, script);
      expect((await service.ended).code).toBe(1);
      expect(service.output).toMatch(
        /^worktrack: Indexes2700000000002 is unknown to this version: .* newer one\. [^\n]*\n$/,
      );
    }
  });
});
