/** What a search finds is the same in JSON and in XML, whatever is selected of it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { chance, diceOf, pick } from '../support/dice.js';
import { type Element, parseXml } from '../support/xml.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const names = model
  .resource('General')
  .fields.filter((field) => field.kind !== 'scalar' || !field.isWriteOnly)
  .map(({ name }) => name);

const child = (item: Element, name: string) => item.children.find((one) => one.name === name);
const isPlain = ([, value]: [string, unknown]) => typeof value !== 'object' || value === null;

async function isSame(selection: string): Promise<void> {
  const path = `/api/v1/Search?q=shared&take=5&${selection}`;
  const { Items } = await app.json(path);
  const { children } = await parseXml(await app.xml(path));
  expect(children.map(({ attributes }) => Number(attributes.Id))).toEqual(Items.map(({ Id }: { Id: number }) => Id));
  for (const [at, item] of children.entries()) {
    const { Found, ...shown } = Items[at];
    expect(child(item, 'Found')?.attributes.Rank).toBe(String(Found.Rank));
    expect(child(item, 'Found')?.children[0]?.children.map(({ attributes }) => ({ ...attributes }))).toEqual(
      Found.Highlights.Items,
    );
    const told = [...Object.keys(item.attributes), ...item.children.map(({ name }) => name)];
    expect(told.filter((name) => name !== 'Found')).toEqual(Object.keys(shown));
    for (const [name, value] of Object.entries(shown).filter(isPlain))
      if (name in item.attributes) expect(item.attributes[name]).toBe(String(value));
  }
}

it.each(['include=[Id]', 'include=[Name]', 'include=[ResourceType]', 'include=[Id,Name]', ''])('%s', isSame);

it('random selections', async () => {
  const dice = diceOf(Number(process.env.SEED ?? 1));
  for (let round = 0; round < Number(process.env.CASES ?? 30); round++) {
    const some = names.filter(() => chance(dice, pick(dice, [3, 10, 30])));
    await isSame(some.length === 0 ? 'include=[Id]' : `include=[${some}]`);
  }
});
