/** What is reckoned of a collection of more items than are shown of one counts all of them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { diceOf, pick } from '../support/dice.js';

const count = 1100;

let app: TestApp;
let story: number;
/** The latest first, as collections without an order are. */
let ids: number[];
beforeAll(async () => {
  app = await TestApp.start();
  story = (await app.items('/api/v1/UserStories?include=[Id]&take=1&where=(LastCommentDate is null)'))[0].Id;
  const comments = Array.from({ length: count }, (_, at) => ({
    General: { Id: story },
    Description: `text ${at % 1050}`,
  }));
  for (const some of [comments.slice(0, 1000), comments.slice(1000)])
    await app.write('Comments/bulk?include=[Id]', some);
  ids = (await app.rows('select id from comment where general_id = $1 order by id desc', [story])).map(({ id }) => id);
});
afterAll(() => app.stop());

const worth = async (expression: string): Promise<unknown> => {
  const select = encodeURIComponent(`{v:${expression}}`);
  return (await app.json(`/api/v2/UserStory/${story}?select=${select}`)).items[0].v;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);

it.each([
  ['comments.count()', count],
  ['comments.skip(0).count()', count],
  ['comments.skip(1).count()', count - 1],
  ['comments.skip(3).where(id>0).count()', count - 3],
  ['comments.skip(1).select(id).distinct().count()', count - 1],
  ['comments.select(description).distinct().count()', 1050],
  ['comments.select(description).distinct().skip(2).count()', 1048],
  ['comments.select(description).distinct().select(it.length()).count()', 1050],
  ["comments.skip(1).select(description).distinct().where(it!='').count()", 1050],
  ['comments.take(1000).skip(10).count()', 990],
])('%s', async (expression, expected) => expect(await worth(expression)).toBe(expected));

it('items are left out from the right end, whatever follows', async () => {
  const dice = diceOf(Number(process.env.SEED ?? 1));
  for (let round = 0; round < 20; round++) {
    let left = ids;
    let chain = 'comments';
    for (let step = 1 + dice(3); step > 0; step--) {
      const [skipped, parity] = [pick(dice, [0, 1, 50]), dice(2)];
      [chain, left] = pick<[string, number[]]>(dice, [
        [`${chain}.skip(${skipped})`, left.slice(skipped)],
        [`${chain}.where(id-2*Math.Floor(id/2)==${parity})`, left.filter((id) => id % 2 === parity)],
        [`${chain}.orderBy(id)`, left.toSorted((a, b) => a - b)],
      ]);
    }
    expect([chain, await worth(`${chain}.sum(id)`)]).toEqual([chain, sum(left)]);
    expect([chain, await worth(`${chain}.count()`)]).toEqual([chain, left.length]);
    expect([chain, await worth(`${chain}.first().id`)]).toEqual([chain, left[0]]);
  }
});

it('and no more are shown than ever', async () => {
  expect(await worth('comments.skip(1).select(id)')).toEqual(ids.slice(1, 1001));
  expect(await worth('comments.select(description).distinct()')).toHaveLength(1000);
});
