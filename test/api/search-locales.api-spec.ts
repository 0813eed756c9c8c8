/** Search: words of any language are found in a database of any locale. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { databaseOfLocaleC } from '../support/empty-database.js';

describe.each<[locale: string, env: () => Promise<Record<string, string>>]>([
  ['of its own', async () => ({})],
  ['C', async () => ({ DATABASE_URL: await databaseOfLocaleC('search_locales_c') })],
])('with the locale %s', (_, env) => {
  let app: TestApp;
  let project: number;
  beforeAll(async () => {
    app = await TestApp.start(env);
    project = (await app.write('Projects', { Name: 'Orchard', Process: { Id: 3 } })).Id;
    await app.write('CustomFields', { Name: 'Origin', FieldType: 'Text', EntityType: { Id: 4 }, Process: { Id: 3 } });
  });
  afterAll(() => app.stop());

  const idsOf = async (text: string): Promise<number[]> =>
    (await app.items(`/api/v1/Search?project=${project}&q=${encodeURIComponent(text)}`))
      .map(({ Id }: { Id: number }) => Id)
      .sort((a: number, b: number) => a - b);

  it.each([
    ['Привет всем', ['всем', 'прив*']],
    ['über café', ['café', 'ÜBER', 'üb*']],
    ['θάλασσα μπλε', ['ΘΆΛΑΣΣΑ', 'μπλ*']],
    ['计划二〇二六', ['计划', '二〇二六', '二零二六', '〇二']],
    ['مرحبا ١٢٣', ['مرحبا', '١٢٣', '"مرحبا ١٢٣"']],
    ['गाना ५ अध्याय', ['५', '"गाना ५ अध्याय"']],
  ])('%j is found in each text, and left out', async (text, words) => {
    const story = async (fields: object): Promise<number> =>
      (await app.write('UserStories', { Project: { Id: project }, ...fields })).Id;
    const ids = [
      await story({ Name: text }),
      await story({ Name: 'In a value', CustomFields: [{ Name: 'Origin', Value: text }] }),
      await story({ Name: 'Tagged', Tags: text }),
      await story({ Name: 'In a text', Description: `<p>${text}</p>` }),
    ];
    expect(await idsOf(text)).toEqual(ids);
    for (const word of words) {
      expect([word, await idsOf(word)]).toEqual([word, ids]);
      expect([word, await idsOf(`${text} -${word}`)]).toEqual([word, []]);
    }
  });
});
