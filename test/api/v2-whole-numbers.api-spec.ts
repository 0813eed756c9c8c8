/**
 * Whole numbers of version 2, at the bounds of their columns: no function fails because of one, and none makes another
 * number of it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FunctionRow } from '../../src/query/functions/function-row.js';
import { functionRows } from '../../src/query/functions/functions.js';
import { TestApp } from '../support/app.js';

const [least, most] = [-(2 ** 31), 2 ** 31 - 1];

let app: TestApp;
let ids: number[];
beforeAll(async () => {
  app = await TestApp.start();
  ids = (await app.items('/api/v1/TestSteps?include=[Id]&take=2')).map(({ Id }) => Id);
  for (const [at, RunOrder] of [least, most].entries()) await app.write(`TestSteps/${ids[at]}`, { RunOrder });
});
afterAll(() => app.stop());

const ask = (parameters: Record<string, string>) =>
  app.ask(`/api/v2/TestStep?${new URLSearchParams({ where: `id in [${ids}]`, ...parameters })}`);

/** What a method is called on. */
const selves: Readonly<Record<string, string>> = { text: "'abc'", moment: 'Today', span: '(Today-(Today-1))' };
const others: Readonly<Record<string, string>> = { text: "'a'", moment: 'Today', boolean: 'true', span: selves.span! };

function spelled({ on, name, takes }: FunctionRow): string {
  const args = takes.map((one) => others[one] ?? 'runOrder');
  const owner = on === undefined ? '' : `${selves[on] ?? on}.`;
  return `${owner}${name}(${args})`;
}

const functions = functionRows
  .filter(({ takes }) => takes.some((one) => others[one] === undefined))
  .map(spelled)
  // Those take texts alone.
  .filter((one) => !/Array\(|toDateTime/.test(one));
const operations = ['-runOrder', 'runOrder+runOrder', 'runOrder-1', 'runOrder*runOrder', 'runOrder/3', '1/runOrder'];
const expressions = [...functions, ...operations, 'runOrder.toString()', 'Today+runOrder', 'Today-runOrder'];

describe.each(expressions)('%s', (expression) => {
  it('has a value wherever it stands', async () => {
    const shown = await ask({ select: `{id,v:${expression}}` });
    expect([shown.status, shown.text]).toEqual([200, shown.text]);
    for (const parameters of [
      { where: `(${expression}) is not null`, select: 'id' },
      { orderBy: expression, select: 'id' },
      { groupBy: `v:${expression}` },
      { result: `{least:min(${expression}),most:max(${expression})}` },
      { select: 'id', where: `testCase.testSteps.any((${expression}) is null)` },
    ] as Record<string, string>[]) {
      const answer = await ask(parameters);
      const isOfBoth = /'Boolean'/.test(answer.text);
      expect([parameters, answer.status, answer.text]).toEqual([parameters, isOfBoth ? 400 : 200, answer.text]);
    }
  });
});

it.each(
  functionRows.filter(({ on, takes }) => on === 'Math' && takes.length > 0).map(spelled),
)('sums and averages of %s are reckoned', async (expression) => {
  const answer = await ask({ result: `{sum(${expression}),average(${expression})}` });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
});

it.each(['Abs', 'Ceiling', 'Floor', 'Truncate'])('Math.%s leaves a long whole number what it is', async (name) => {
  const number = '9007199254740993';
  const select = `{v:Math.${name}(${number}),t:Math.${name}(${number}).toString(),same:IIF(Math.${name}(${number})==${number},1,0)}`;
  const { text } = await ask({ select, take: '1' });
  expect(text).toContain(`{"v":${number},"t":"${number}","same":1}`);
});

it('the opposite of the least is told', async () => {
  const { json } = await ask({ select: '{a:-runOrder,b:Math.Abs(runOrder)}', where: `id==${ids[0]}` });
  expect(json.items).toEqual([{ a: -least, b: -least }]);
});

it('sums and averages leave out no number that can be shown', async () => {
  const { json } = await ask({
    result: '{sum:sum(Math.Pow(10,150)),average:average(Math.Pow(10,150)),most:max(Math.Pow(10,150))}',
  });
  expect(json).toEqual({ sum: 2e150, average: 1e150, most: 1e150 });
});
