/** Search: a letter is one letter however it is stored and typed, composed or as a base and its marks, of any width. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  project = (await app.write('Projects', { Name: 'Orchard', Process: { Id: 3 } })).Id;
});
afterAll(() => app.stop());

const search = (text: string) => app.json(`/api/v1/Search?q=${encodeURIComponent(text)}`).then(({ Items }) => Items);
const idsOf = async (text: string): Promise<number[]> =>
  (await search(text)).map(({ Id }: { Id: number }) => Id).sort();
const story = async (fields: object): Promise<number> =>
  (await app.write('UserStories', { Project: { Id: project }, ...fields })).Id;
const spellings = (text: string): string[] => [text.normalize('NFC'), text.normalize('NFD')];

describe.each([
  ['é', 'Café crème brûlée'],
  ['two marks', 'Tiếng việt nặng'],
  ['Hangul', '한국어 검색어 시험'],
  ['a mark that is no letter of its own', '\u212bngstr\u00f6m m\u00fcsli \u1fbev'],
])('words with %s', (_, name) => {
  const [first, second, third] = name.split(' ') as [string, string, string];
  let ids: number[];
  beforeAll(async () => {
    ids = [];
    for (const Name of spellings(name)) ids.push(await story({ Name }));
  });

  it.each([
    ['a word', first],
    ['words', `${third} ${first}`],
    ['the beginning of a word', `${second.normalize('NFC').slice(0, -1)}*`],
    ['a phrase', `"${first} ${second}"`],
  ])('are found by %s, in every spelling', async (_, text) => {
    for (const spelt of spellings(text)) expect([spelt, await idsOf(spelt)]).toEqual([spelt, ids]);
  });

  it('leave out what has them, and mark what they have found as it is stored', async () => {
    for (const spelt of spellings(second)) expect(await idsOf(`${first} -${spelt}`)).toEqual([]);
    for (const spelt of spellings(first)) {
      const shown = (await search(spelt)).map((one: { Found: { Highlights: { Items: { Html: string }[] } } }) =>
        one.Found.Highlights.Items.map(({ Html }) => Html),
      );
      const stored = spellings(name).map((text) => [text.replace(/^\S+/u, '<mark>$&</mark>')]);
      expect(shown.sort()).toEqual(stored.sort());
    }
  });
});

it('finds letters in tags, values, descriptions and comments, short and long', async () => {
  await app.write('CustomFields', { Name: 'Origin', FieldType: 'Text', EntityType: { Id: 4 }, Process: { Id: 3 } });
  const far = 'plüm '.normalize('NFD').repeat(300);
  for (const form of ['NFC', 'NFD'] as const) {
    const other = form === 'NFC' ? 'NFD' : 'NFC';
    const word = (text: string): string => `${text}é${form}`.normalize(form);
    const id = await story({
      Name: 'Jar',
      Tags: word('tàg'),
      Description: `<p>${word('shört')}</p>`,
      CustomFields: [{ Name: 'Origin', Value: word('vàlue') }],
    });
    const long = await story({ Name: 'Jar', Description: `${far}<p>the ${word('löng')} here</p>${far}` });
    await app.write('Comments', { General: { Id: id }, Description: word('commént') });
    for (const text of ['tàg', 'shört', 'vàlue', 'commént']) {
      const asked = `${text}é${form}`.normalize(other);
      expect([text, await idsOf(asked)]).toEqual([text, [id]]);
    }
    const [item] = await search(`löngé${form}`.normalize(other));
    expect(item.Id).toBe(long);
    expect(item.Found.Highlights.Items).toEqual([
      { Field: 'Description', Html: expect.stringContaining(`the <mark>${word('löng')}</mark> here`) },
    ]);
    await app.write(`UserStories/${id}`, { Name: word('renàmed'), Description: word('rewritteñ') });
    expect(await idsOf(`renàmedé${form} rewritteñé${form}`.normalize(other))).toEqual([id]);
  }
});

it('finds letters and digits of full width', async () => {
  const id = await story({ Name: '請求 ＩＮＶＯＩＣＥ２４', Description: 'ｗｉｄｅ words' });
  const plain = await story({ Name: 'Invoice24' });
  for (const text of ['invoice24', 'ｉｎｖｏｉｃｅ２４', 'ｉｎｖｏｉｃｅ２*'])
    expect([text, await idsOf(text)]).toEqual([text, [id, plain]]);
  expect(
    await idsOf(`＃ ${String(id).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))}`),
  ).toEqual([id]);
  const [item] = await search('請求 wide invoice24');
  expect(item.Found.Highlights.Items).toEqual([
    { Field: 'Name', Html: '<mark>請求</mark> <mark>ＩＮＶＯＩＣＥ２４</mark>' },
    { Field: 'Description', Html: '<mark>ｗｉｄｅ</mark> words' },
  ]);
});

it('begins no piece within a letter', async () => {
  for (let shift = 0; shift < 3; shift += 1) {
    const Description = `${'x'.repeat(shift)}${'e\u0301\u0323'.repeat(400)} sorrel`;
    await story({ Name: 'Herb', Description });
    const [item] = await search('sorrel');
    expect(item.Found.Highlights.Items[0].Html).toMatch(/^…\P{M}.*<mark>sorrel<\/mark>$/u);
  }
});

it('takes a text of marks without end in its stride', async () => {
  const Description = `<p>e${'\u0301'.repeat(40_000)}${'\u0323'.repeat(40_000)} medlar e${'\u0301\u0323'.repeat(200)}f</p>`;
  const id = await story({ Name: 'Heap', Description });
  expect(await idsOf('medlar e f')).toEqual([id]);
  expect((await search('medlar'))[0].Id).toBe(id);
});

describe('what is longer than a piece', () => {
  const long = 'mirabellé'.repeat(50);
  it.each([
    ['a word', long, 0],
    ['a word that begins so', `${long.slice(0, 400)}*`, 0],
    ['a word that begins so, of few letters', 'mirabellém*', 0],
    ['a phrase', `"the ${long} tree"`, 0],
    ['a phrase with much between its words', '"aprium pluot"', 1],
  ])('has a piece: %s', async (_, text, at) => {
    const texts = [`far off the ${long} tree`, `an aprium ${'- '.repeat(900)} pluot`];
    const Description = `${'far '.repeat(90)} ${texts[at]} ${'away '.repeat(90)}`;
    for (const spelt of spellings(Description)) {
      const id = await story({ Name: 'Long', Description: spelt });
      const item = (await search(text)).find(({ Id }: { Id: number }) => Id === id);
      const [{ Field, Html }] = item.Found.Highlights.Items;
      expect(Field).toBe('Description');
      expect(Html.normalize('NFC')).toMatch(/^….*<mark>(?:(?:the )?(?:mirabellé){10,}|aprium<)/);
      expect(Html.length).toBeLessThan(1300);
    }
  });
});
