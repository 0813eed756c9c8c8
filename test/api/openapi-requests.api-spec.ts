/** Requests drawn from the document, over all operations: none is a fault, and no answer is outside its schema. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { DescribedApi, type DescribedOperation } from '../support/openapi.js';
import { requestsOf } from '../support/openapi-requests.js';

const seed = Number(process.env.SEED ?? 1);
/** Of each operation. */
const cases = Number(process.env.CASES ?? 1);

let app: TestApp;
let api: DescribedApi;
beforeAll(async () => {
  app = await TestApp.start();
  api = await DescribedApi.of(app);
});
afterAll(() => app.stop());

it('find no fault and no answer that is not described', { timeout: 1_200_000 }, async () => {
  const complaints: string[] = [];
  const statuses: Record<number, number> = {};
  for (const described of inOrder(api.operations)) {
    const there = await idsFor(described);
    for (const drawn of fc.sample(requestsOf(described, api, there), { seed: seedOf(described), numRuns: cases })) {
      const answer = await app.ask(drawn.path, drawn);
      statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
      const complaint = api.complaintAbout(described, answer);
      if (complaint) complaints.push(`${idOf(described)} ${JSON.stringify(drawn)} ${complaint}`);
    }
  }
  expect(complaints.slice(0, 20)).toEqual([]);
  // Most requests of other ways to draw them would be refused, which shows little.
  expect(statuses[200]! / cases).toBeGreaterThan(300);
});

/** By its name: a new operation leaves the requests of the others as they are. */
const seedOf = (described: DescribedOperation): number =>
  seed + createHash('sha256').update(idOf(described)).digest().readInt32BE();

/** What deletes comes last. */
const inOrder = (operations: DescribedOperation[]): DescribedOperation[] =>
  operations.toSorted((one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'));

const idsByCollection = new Map<string, Promise<number[]>>();

/** Ids of entities that are there, of the collection that the operation is about. */
function idsFor({ operation: { tags } }: DescribedOperation): Promise<number[]> {
  const [collection = ''] = tags;
  if (!model.collection(collection)) return Promise.resolve([]);
  const ids = idsByCollection.get(collection) ?? readIds(collection);
  idsByCollection.set(collection, ids);
  return ids;
}

const readIds = async (collection: string): Promise<number[]> =>
  (await app.items(`/api/v1/${collection}?include=[Id]&take=5`)).map(({ Id }) => Id);

const idOf = ({ operation }: DescribedOperation): string => operation.operationId;
