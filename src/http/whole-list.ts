/**
 * A whole list in one answer, an item on each line, in the order of Ids. It is read a part at a time, each behind the
 * last Id of the one before, when the client has taken that: no connection is held and no more than a part is in
 * memory.
 */
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { bytesOf, release, type Text, takeText } from '../bytes/text-bytes.js';
import type { TextHold } from '../database/text-query.js';
import type { WaitingRoom } from '../database/waiting-room.js';
import { ApiError, badRequest, internalFault, unavailable } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import type { OrderBy } from '../query/v1/query.js';
import { Places } from '../turns/places.js';
import { Page } from './answer.js';
import { piecesOf } from './answer-body.js';
import { AnswerTooLong } from './answer-room.js';
import { listTypes } from './format.js';
import type { Ask, Reads } from './reads.js';
import type { ApiRequest } from './request.js';

/** Bounds of one process. */
export const listBounds = { all: 16, ofUser: 2, spare: 4, seconds: 3600, bytes: 2 ** 20 } as const;

/** How many items a part may have: few lengths, since each is a statement of its own. */
const lengths = [1, 8, 64, 512];

export const notStreamed = (instead: string): ApiError =>
  badRequest(`application/x-ndjson: only whole lists are answered in this format. ${instead}`, 'InvalidParameter');

/** Some of the items behind an Id, in the order of their Ids: so many at most, each on a line. */
export type ReadBehind = (id: number, take: number) => Promise<{ items: readonly Text[]; hasNext: boolean }>;

/** What counts the texts of an answer, if anything does. */
type Hold = Pick<TextHold, 'leave' | 'isInParts'> | undefined;

/** Who asks, and what the parts wait in. */
interface Asker {
  readonly userId: number;
  readonly hold: Hold;
  readonly waiting: WaitingRoom;
}

/** The first part, with what reads the others. Errors: 400, 429, 503. */
export async function wholeList(resource: ResourceType, asker: Asker, behind: ReadBehind): Promise<Page> {
  if (resource.settings.rowKey !== 'id') throw notStreamed(`${resource.collection} have no order of Ids.`);
  const { userId, hold, waiting } = asker;
  const leavePlace = places.enter(userId);
  let leaveRoom = (): void => undefined;
  const leave = (): void => {
    leavePlace();
    leaveRoom();
  };
  try {
    const parts = partsOf(behind, asker, leave);
    const { value = [], done } = await parts.next();
    const page = new Page(resource.collection, value, !done, '');
    page.rest = parts;
    // From now on it is under way: it is finished when the service ends.
    if (!done) leaveRoom = waiting.sendInParts(userId);
    if (hold) hold.isInParts = true;
    return page;
  } catch (refusal) {
    leave();
    throw refusal;
  }
}

/** The question with the rights that its caller has now; the query stays the same object. Errors: 401. */
export type AskNow = () => Promise<Ask>;

/** The whole list of a request of version 1. Errors: 400, 429, 503. */
export async function wholeListOf(resource: ResourceType, askNow: AskNow, reads: Reads): Promise<Page> {
  const ask = await askNow();
  checkOrder(ask);
  const { hold, actor } = ask;
  return wholeList(resource, { userId: actor.userId, hold, waiting: reads.waiting }, async (id, take) =>
    reads.behind(resource, id, inOrderOfIds(await askNow(), take)),
  );
}

function checkOrder({ query: { order, page } }: Ask): void {
  if (order.length > 0) throw notStreamed('They come in the order of their Ids: leave orderBy out.');
  if (page.skip > 0) throw notStreamed('To go on behind an Id, filter by it: where=(Id gt 5).');
}

const places = new Places(listBounds, 'whole lists are being sent');

const serviceEnds = (): ApiError => unavailable('The service ends. Go on behind the last Id that came.');

async function* partsOf(behind: ReadBehind, { hold, waiting }: Asker, leave: () => void): AsyncGenerator<Text[]> {
  const end = performance.now() + listBounds.seconds * 1000;
  let [id, step] = [-1, 2];
  try {
    for (let hasMore = true; hasMore; ) {
      if (performance.now() > end) throw unavailable('The list took too long. Go on behind the last Id that came.');
      if (waiting.isOver) throw serviceEnds();
      const part = await behind(id, lengths[step]!).catch((error: unknown) => {
        if (waiting.isOver) throw serviceEnds();
        if (step === 0 || !(error instanceof AnswerTooLong)) throw error;
        hold?.leave();
      });
      // Once more, with fewer items.
      step = part ? nextStep(step, lengthOf(part.items)) : step - 1;
      if (!part) continue;
      hasMore = part.hasNext;
      if (part.items.length === 0) return;
      const texts = [...part.items];
      const last = takeText(texts.pop()!);
      id = lastIdIn(last);
      yield [...texts, last];
    }
  } finally {
    leave();
  }
}

const lengthOf = (texts: readonly Text[]): number => texts.reduce((sum, text) => sum + bytesOf(text), 0);

/** Parts of about a megabyte: longer ones become shorter, short ones longer. */
function nextStep(step: number, bytes: number): number {
  if (bytes > listBounds.bytes) return Math.max(0, step - 1);
  return bytes < listBounds.bytes / 8 ? Math.min(lengths.length - 1, step + 1) : step;
}

const byId: OrderBy[] = [{ path: ['Id'], descending: false, parameter: 'orderBy' }];

const queries = new WeakMap<object, Map<number, Ask['query']>>();

/** The same object for the same query and length, since statements are kept with it. */
function inOrderOfIds(ask: Ask, take: number): Ask {
  const byTake = queries.get(ask.query) ?? new Map<number, Ask['query']>();
  queries.set(ask.query, byTake);
  const query = byTake.get(take) ?? {
    ...ask.query,
    order: byId,
    page: { take, skip: 0 },
  };
  byTake.set(take, query);
  return { ...ask, query };
}

/** The Id is the first member of each item, but for its type. */
function lastIdIn(lines: string): number {
  const id = /^\{(?:"resourceType":"\w+",)?"id":(\d+)/i.exec(lines.slice(lines.lastIndexOf('\n') + 1))?.[1];
  if (id === undefined) throw new Error('an item without an Id');
  return Number(id);
}

export function streamed(page: Page, request: ApiRequest, reply: FastifyReply): Readable {
  reply.header('content-type', listTypes.ndjson);
  const isTaken = (): boolean => reply.raw.destroyed || (body.readableLength === 0 && reply.raw.writableLength === 0);
  const body = Readable.from(linesOf(page, request, isTaken), { objectMode: false, highWaterMark: 64 * 1024 });
  return body.once('close', () => {
    page.items.forEach(release);
    void page.rest!.return(undefined);
  });
}

/** What goes wrong in the middle stands on a last line, and the answer is cut off: its end does not come. */
async function* linesOf(
  { items, rest }: Page,
  { hold, method }: ApiRequest,
  isTaken: () => boolean,
): AsyncGenerator<Buffer> {
  if (method === 'HEAD') return;
  try {
    for (let part: readonly Text[] | undefined = items; part?.length; part = (await rest!.next()).value) {
      if (hold) hold.isSent = true;
      yield* piecesOf(
        part.flatMap((text) => [text, '\n']),
        hold,
      );
      if (!hold) continue;
      hold.isSent = false;
      hold.leave();
    }
  } catch (failure) {
    const { status, message } = failure instanceof ApiError ? failure : internalFault();
    yield Buffer.from(`${JSON.stringify({ Error: { Status: status, Message: message } })}\n`);
    // What is cut off before it has left is not read by anybody.
    for (let looks = 0; looks < 600 && !isTaken(); looks += 1) await setTimeout(50);
    throw failure;
  }
}
