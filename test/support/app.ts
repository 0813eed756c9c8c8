/** The service on a database of its own, for one spec file, spoken to over HTTP. */
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import pg from 'pg';
import { inject } from 'vitest';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config/config.js';
import { columnTypes } from '../../src/database/column-types.js';
import { people } from '../../src/database/seeds/demo/words.js';
import { BackgroundWork } from '../../src/http/background-work.js';
import { createDatabase, templateName, urlOf } from './database.js';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The body parsed as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
  json: any;
}

export interface Ask {
  as?: string;
  headers?: Record<string, string>;
  method?: string;
  body?: string | Buffer | FormData;
  /** The client leaves. */
  signal?: AbortSignal;
}

type Env = Record<string, string>;

export class TestApp {
  private constructor(
    readonly nest: NestFastifyApplication,
    readonly base: string,
    readonly database: pg.Pool,
    private readonly name: string,
    private readonly isReplica = false,
  ) {}

  /** Starts the service on a copy of the demonstration database; its environment may depend on the address of that. */
  static async start(env: Env | ((databaseUrl: string) => Promise<Env>) = {}): Promise<TestApp> {
    const name = `spec_${randomBytes(8).toString('hex')}`;
    await createDatabase(inject('databaseUrl'), name, templateName);
    return TestApp.on(name, typeof env === 'function' ? await env(urlOf(inject('databaseUrl'), name)) : env);
  }

  /** Two services on equal databases: what `prepare` left, sequences and transaction numbers included. */
  static async twins(
    prepare: (app: TestApp) => Promise<void>,
    env: Record<string, string>,
  ): Promise<[TestApp, TestApp]> {
    const first = await TestApp.start(env);
    try {
      await prepare(first);
    } finally {
      await first.end();
    }
    const name = `spec_${randomBytes(8).toString('hex')}`;
    await createDatabase(inject('databaseUrl'), name, first.name);
    return [await TestApp.on(first.name, env), await TestApp.on(name, env)];
  }

  /** Another process of the service on the same database, as far as one process can be two. */
  replica(env: Env = {}): Promise<TestApp> {
    return TestApp.on(this.name, env, true);
  }

  private static async on(name: string, env: Env, isReplica = false): Promise<TestApp> {
    const url = urlOf(inject('databaseUrl'), name);
    const DATA_DIR = dataDirOf(name);
    // On a slow machine, much waits long.
    const patient = { DB_POOL: '4', STATEMENT_TIMEOUT: '60', WAITING_TIMEOUT: '60' };
    const config = loadConfig({ DATABASE_URL: url, DATA_DIR, LOG_LEVEL: 'silent', ...patient, ...env });
    const nest = await createApp(config);
    await nest.listen(0, '127.0.0.1');
    // What comes by the clock would come in the middle of anything; its own specs call for it.
    nest.get(BackgroundWork).pause();
    const { port } = nest.getHttpServer().address() as AddressInfo;
    const database = new pg.Pool({ connectionString: url, max: 2, types: columnTypes });
    // Its end does not wait for connections to close, and the database is dropped under those that are closing.
    database.on('error', () => undefined);
    return new TestApp(nest, `http://127.0.0.1:${port}`, database, name, isReplica);
  }

  private async end(): Promise<void> {
    await this.database.end();
    await this.nest.close();
  }

  async stop(): Promise<void> {
    await this.end();
    if (this.isReplica) return;
    const client = new pg.Client(inject('databaseUrl'));
    await client.connect();
    await client.query(`drop database ${this.name} with (force)`);
    await client.end();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Where files are kept, unless the environment says otherwise. */
  get dataDir(): string {
    return dataDirOf(this.name);
  }

  /**
   * `as` is a login of the demonstration data or of a user with `chosenPassword`; the administrator without it;
   * `nobody` sends no credentials.
   */
  async ask(path: string, { as = 'admin', headers = {}, ...more }: Ask = {}): Promise<Answer> {
    const credentials: Record<string, string> = as === 'nobody' ? {} : { authorization: basic(as) };
    return this.raw(path, { headers: { ...credentials, ...headers }, ...more });
  }

  /** Without credentials but those among the headers. Redirects are shown, not followed. */
  async raw(path: string, asked: Omit<Ask, 'as'> = {}): Promise<Answer> {
    const answer = await fetch(this.base + path, { ...asked, redirect: 'manual' });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }

  /** The answer in JSON; fails on anything but 200. */
  // biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
  async json(path: string, ask: Ask = {}): Promise<any> {
    const answer = await this.ask(withJson(path), ask);
    if (answer.status !== 200) throw new Error(`${answer.status} ${path}: ${answer.text}`);
    return answer.json;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
  async items(path: string, ask: Ask = {}): Promise<any[]> {
    return (await this.json(path, ask)).Items;
  }

  async xml(path: string, ask: Ask = {}): Promise<string> {
    const answer = await this.ask(path, ask);
    if (answer.status !== 200) throw new Error(`${answer.status} ${path}: ${answer.text}`);
    return answer.text;
  }

  /** Writes by version 1 and gives the answer in JSON; the path is that behind `/api/v1/`. Fails on a refusal. */
  // biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
  async write(path: string, body: unknown, ask: Ask = {}): Promise<any> {
    const answer = await this.post(withJson(`/api/v1/${path}`), body, ask);
    if (answer.status >= 300) throw new Error(`${answer.status} ${path}: ${answer.text}`);
    return answer.json;
  }

  post(path: string, body: unknown, ask: Ask = {}): Promise<Answer> {
    const isText = typeof body === 'string';
    const type = isText && body.trimStart().startsWith('<') ? 'application/xml' : 'application/json';
    return this.ask(path, {
      method: 'POST',
      body: isText ? body : JSON.stringify(body),
      ...ask,
      headers: { 'content-type': type, ...ask.headers },
    });
  }

  /** Rows straight from the database, for checking what an answer says. */
  // biome-ignore lint/suspicious/noExplicitAny: rows have the shape of their statement
  async rows(text: string, values: unknown[] = []): Promise<any[]> {
    return (await this.database.query(text, values)).rows;
  }
}

const dataDirOf = (name: string): string => join(tmpdir(), `worktrack-${name}`);

/** Of users that a spec makes: one that may be chosen. */
export const chosenPassword = 'chosen by a spec';

function passwordOf(login: string): string {
  if (login === 'admin') return 'admin';
  return demonstration.has(login.toLowerCase()) ? 'demo' : chosenPassword;
}

const demonstration = new Set(
  people.map(([first]) =>
    first
      .normalize('NFD')
      .replace(/[^A-Za-z0-9]/g, '')
      .toLowerCase(),
  ),
);

export const basic = (as: string): string =>
  `Basic ${Buffer.from(as.includes(':') ? as : `${as}:${passwordOf(as)}`).toString('base64')}`;

function withJson(path: string): string {
  if (/[?&]format=/.test(path)) return path;
  return `${path}${path.includes('?') ? '&' : '?'}format=json`;
}
