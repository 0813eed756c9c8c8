/**
 * `Idempotency-Key`: the first answer to a key is kept for 24 hours in the transaction of the write itself, and given
 * again to the same request; so a client that lost an answer may ask again without doing it twice. Who has lost rights
 * since gets kind and id alone, and so is who asks again for a long answer.
 */
import { createHash } from 'node:crypto';
import type { Actor } from '../actor.js';
import { PooledBytes } from '../bytes/pooled-bytes.js';
import { bytesOf, type Text, textOf, viewsOf } from '../bytes/text-bytes.js';
import type { Work } from '../command/change.js';
import { charsetNamed } from '../command/charset.js';
import { badRequest, conflict } from '../errors.js';
import { isHash, makeHash, matchesHash } from '../passwords/password-hash.js';
import { Batch, briefBatch, briefItem, Deleted, type EntityName, Item, type Saved } from './answer.js';
import { charsetIn } from './format.js';
import { withoutCredentials } from './query-credential.js';
import { type ApiRequest, rawQuery } from './request.js';

interface KeptSave {
  created: boolean;
  collection?: string;
  items: string[];
  version?: string;
  isBrief?: true;
  /** What decided what its caller saw. */
  rights?: Rights;
}

type Rights = Pick<Actor, 'isAdministrator' | 'projectIds' | 'teamIds'>;

type KeptAnswer = KeptSave | { deleted: readonly EntityName[]; isList: boolean };

interface Kept {
  fingerprint: string;
  answer: KeptAnswer;
}

export async function idempotently<T extends Saved | Deleted>(
  request: ApiRequest,
  work: Work,
  act: () => Promise<T>,
): Promise<T> {
  const key = keyOf(request);
  if (key === undefined) return act();
  const print = fingerprint(request);
  const { userId } = work.actor;
  const kept = namesSecret(bodyOf(request)) ? await makeHash(print) : print;
  // A parallel request with the same key waits here until the first has ended.
  const [, claimed] = await Promise.all([work.rows(forgetOld), work.rows(claim, [userId, key, kept])]);
  if (claimed.length === 0) {
    const [first] = await work.rows<Kept>(recall, [userId, key]);
    return answerIn(first, print, work.actor);
  }
  const done = await act();
  work.send(keep, [userId, key, JSON.stringify(noted(done, work.actor))]);
  return done;
}

/** Gives the rows of one `select` of ours. */
export type AskRows = <R extends object>(text: string, values: unknown[]) => Promise<R[]>;

/** The answer that is kept. A parallel request with the same key may still be under way. Errors: 400, 409. */
export async function keptAnswer<T extends Saved | Deleted>(
  request: ApiRequest,
  rows: AskRows,
): Promise<T | undefined> {
  const { actor } = request;
  const [kept] = await rows<Kept>(recallYoung, [actor.userId, keyOf(request)]);
  return kept && answerIn(kept, fingerprint(request), actor);
}

/** Whether an answer is kept for the key, to whatever request. Errors: 400. */
export async function isKeyKept(request: ApiRequest, rows: AskRows): Promise<boolean> {
  const kept = await rows(`select 1 from (${recallYoung}) kept`, [request.actor.userId, keyOf(request)]);
  return kept.length > 0;
}

async function answerIn<T extends Saved | Deleted>(kept: Kept | undefined, print: string, actor: Actor): Promise<T> {
  if (!kept || !(await isOf(kept.fingerprint, print)))
    throw conflict('This Idempotency-Key was used for another request.');
  // The fingerprint tells the method: what is kept is of the kind that is asked for.
  return restored(kept.answer, actor) as T;
}

export const hasKey = ({ headers }: ApiRequest): boolean => headers['idempotency-key'] !== undefined;

const claim = `insert into idempotency_key (user_id, key, fingerprint, create_date) values ($1::bigint, $2::text, $3::text, now())
  on conflict do nothing returning key`;
const recall = 'select fingerprint, answer from idempotency_key where user_id = $1::bigint and key = $2::text';
const recallYoung = `${recall} and create_date >= now() - interval '24 hours'`;
const keep = 'update idempotency_key set answer = $3::jsonb where user_id = $1::bigint and key = $2::text';
const forgetOld = `delete from idempotency_key where (user_id, key) in (select user_id, key from idempotency_key
  where create_date < now() - interval '24 hours' order by create_date limit 100 for update skip locked)`;

function keyOf({ headers }: ApiRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw badRequest('Idempotency-Key: 1 to 255 visible ASCII characters are needed.', 'InvalidParameter');
  }
  return key;
}

/** What is asked for, credentials aside: they say who asks, and keys belong to one user. */
function fingerprint(request: ApiRequest): string {
  const [path = ''] = (request.raw.url ?? '').split('?', 1);
  const asked = withoutCredentials(rawQuery(request));
  const digest = createHash('sha256').update(`${request.method} ${path}?${asked} ${request.format?.contentType}\n`);
  for (const name of ['if-match', 'if-none-match'] as const) {
    const condition = request.headers[name];
    if (condition !== undefined) digest.update(`${name}: ${condition}\n`);
  }
  // What it says of any other body, the bytes say themselves.
  const charset = charsetNamed(charsetIn(request.headers['content-type']) ?? '');
  if (charset === 'windows-1252') digest.update(`${charset}\n`);
  for (const view of bodyOf(request)) digest.update(view);
  return digest.digest('base64url');
}

/** In the names of all fields that hold secrets. */
export const secretName = /password/i;

/** A member or an element of such a name, as far as a body can tell without being read, if a sign is behind it. */
const secretMember = /password\w*["'\s]*([:=>])?/gi;

/** Of two pieces of a body that a name lies across. */
const longestName = 100;

/**
 * What is not secret of such a body can be guessed, so its fingerprint would tell whoever has a copy of the database
 * whether he guessed the secret: it is hashed as slowly as the password itself.
 */
function namesSecret(body: Iterable<Buffer>): boolean {
  let end = '';
  for (const view of body) {
    const text = end + view.toString('latin1');
    for (const [, sign] of text.matchAll(secretMember)) if (sign !== undefined) return true;
    end = text.slice(-longestName);
  }
  return false;
}

const isOf = async (kept: string, print: string): Promise<boolean> =>
  isHash(kept) ? matchesHash(kept, print) : kept === print;

function bodyOf({ body }: ApiRequest): Iterable<Buffer> {
  if (body instanceof PooledBytes) return body.views();
  return Buffer.isBuffer(body) ? [body] : [];
}

/** Of a kept answer. Writing a longer one would hold up the process, and many would fill the disk. */
const mostBytes = 4 * 2 ** 20;

/** Projects and teams of its caller, kept beside it. */
const mostRights = 1000;

const everything: Rights = { isAdministrator: true, projectIds: [], teamIds: [] };

function noted(done: Saved | Deleted, { isAdministrator, projectIds, teamIds }: Rights): KeptAnswer {
  if (done instanceof Deleted) return { deleted: done.items, isList: done.isList };
  const { created, answer } = done;
  const rights = isAdministrator ? everything : { isAdministrator, projectIds, teamIds };
  const texts: readonly Text[] = answer instanceof Batch ? answer.items : [answer.text];
  const collection = answer instanceof Batch ? answer.collection : undefined;
  const isLong = texts.reduce((sum, text) => sum + bytesOf(text), 0) > mostBytes;
  if (isLong || rights.projectIds.length + rights.teamIds.length > mostRights) {
    const brief = briefly({ collection, items: texts.map(beginning) });
    const items = brief instanceof Batch ? [...brief.items] : [textOf(brief.text)];
    return { created, collection, items, isBrief: true };
  }
  const version = answer instanceof Batch ? undefined : answer.version;
  return { created, collection, items: texts.map(textOf), version, isBrief: answer.isBrief || undefined, rights };
}

function restored(kept: KeptAnswer, actor: Actor): Saved | Deleted {
  if ('deleted' in kept) return new Deleted(kept.deleted, kept.isList);
  const { created, collection, items, version, isBrief } = kept;
  if (kept.rights && !holds(actor, kept.rights)) return { created, answer: briefly(kept) };
  const answer =
    collection === undefined ? new Item(items[0]!, version, isBrief) : new Batch(collection, items, isBrief);
  return { created, answer };
}

/** Whether the actor sees all that these rights show. */
const holds = (actor: Rights, { isAdministrator, projectIds, teamIds }: Rights): boolean =>
  actor.isAdministrator ||
  (!isAdministrator && isWithin(projectIds, actor.projectIds) && isWithin(teamIds, actor.teamIds));

function isWithin(some: readonly number[], all: readonly number[]): boolean {
  const set = new Set(all);
  return some.every((one) => set.has(one));
}

function briefly({ collection, items }: Pick<KeptSave, 'collection' | 'items'>): Item | Batch {
  const format = items[0]?.startsWith('<') ? 'xml' : 'json';
  const names = items.map(nameIn);
  return collection === undefined ? briefItem(names[0]!, format) : briefBatch(collection, names, format);
}

/** Kind and id are there. */
function beginning(text: Text): string {
  const [first = ''] = viewsOf(text);
  return typeof first === 'string' ? first.slice(0, 200) : first.toString('latin1', 0, 200);
}

/** Both come first in each format. */
function nameIn(text: string): EntityName {
  const [, type, id] = /^(?:\{"ResourceType":"|<\w+ ResourceType=")(\w+)"[, ]"?Id"?[:=]"?(\d+)/.exec(text) ?? [];
  if (type === undefined) throw new Error('an answer without kind and id');
  return { type, id: Number(id) };
}
