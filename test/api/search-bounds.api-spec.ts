/** What a search reads for a phrase is bounded; and what an item no longer shows is not found. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readForPhrases } from '../../src/query/compile/search.js';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;
let hidden: number;
let alices: number;
const usual = { ...readForPhrases };

beforeAll(async () => {
  app = await TestApp.start();
  project = (await app.write('Projects', { Name: 'Orchard', Process: { Id: 3 } })).Id;
  hidden = (await app.write('Projects', { Name: 'Hedge', Process: { Id: 3 } })).Id;
  const [{ Id }] = await app.items("/api/v1/Users?where=(Login eq 'alice')&include=[Id]");
  alices = Id;
  await app.write('ProjectMembers', { Project: { Id: project }, User: { Id: alices }, Role: { Id: 1 } });
});
afterAll(() => app.stop());
afterEach(() => Object.assign(readForPhrases, usual));

async function idsOf(text: string, as = 'admin'): Promise<number[]> {
  const answer = await app.ask(`/api/v1/Search?format=json&take=100&q=${encodeURIComponent(text)}`, { as });
  expect(answer.status, answer.text).toBe(200);
  return answer.json.Items.map(({ Id }: { Id: number }) => Id);
}

const story = async (Name: string, Project = project): Promise<number> =>
  (await app.write('UserStories', { Name, Project: { Id: Project } })).Id;

it('shows pieces of fewer characters of each text, the more texts there are on a page', async () => {
  const Description = `${'<>a '.repeat(300)}quince`;
  await app.write('UserStories', { Name: 'a tree', Description, Project: { Id: project } });
  const fieldsOf = async (take: number): Promise<string[]> => {
    const { json } = await app.ask(`/api/v1/Search?format=json&take=${take}&q=quince`);
    return json.Items[0].Found.Highlights.Items.map(({ Field }: { Field: string }) => Field);
  };
  expect(await fieldsOf(25)).toEqual(['Description']);
  expect(await fieldsOf(1000)).toEqual([]);
});

it.each([
  ['a', 2046],
  ['é', 1023],
  ['ѱ̇', 511],
])('finds words of %j of up to 2,046 bytes, and the others around longer ones', async (letter, most) => {
  const mark = `vinegar${letter.codePointAt(0)}`;
  const wordOf = (count: number) => letter.repeat(count - 6);
  for (const [name, count] of [
    ['fits', most],
    ['long', most + 20],
  ] as const)
    await app.write('UserStories', {
      Name: name,
      Description: `${mark} ${name}zz${wordOf(count)} behind${mark}`,
      Project: { Id: project },
    });
  expect(await idsOf(`fitszz${letter}*`)).toHaveLength(1);
  expect(await idsOf(`longzz${letter}*`)).toHaveLength(0);
  expect(await idsOf(mark)).toHaveLength(2);
  expect(await idsOf(`behind${mark}`)).toHaveLength(2);
});

describe('a search that finds more than it ranks', () => {
  const named = (Name: string, count: number, Project = project) =>
    Array.from({ length: count }, (_, n) => ({ Name: `${Name} ${n}`, Project: { Id: Project } }));
  const warningOf = async (q: string, more = '', as = 'admin'): Promise<string | null> => {
    const { status, headers } = await app.ask(`/api/v1/Search?q=${encodeURIComponent(q)}${more}`, { as });
    expect(status).toBe(200);
    return headers.get('warning');
  };
  const warning = '199 worktrack "Only the newest 500 texts that fit are ranked: there may be others."';

  beforeAll(async () => {
    await app.write('Bugs/bulk', named('loquat', 499));
    await app.write('Bugs/bulk', named('loquat', 3, hidden));
  });

  it('says so on each of its pages, in both formats', async () => {
    for (const more of [
      '&format=json',
      '&take=1',
      '&take=25&skip=475',
      '&take=1000',
      '&take=0',
      '&skip=500',
      '&skip=501&take=1',
      '&skip=2000000000',
      '',
    ])
      expect([more, await warningOf('loquat', more)]).toEqual([more, warning]);
    const last = await app.json('/api/v1/Search?q=loquat&take=100&skip=400');
    expect([last.Items.length, last.Next]).toEqual([100, undefined]);
  });

  it('does not where all is ranked, whatever the caller does not see', async () => {
    expect(await warningOf('loquat', `&project=${project}`)).toBeNull();
    expect(await warningOf('loquat', '', 'alice')).toBeNull();
    expect(await warningOf('nothinglikethis')).toBeNull();
  });

  it('leads to what is named by its Id and comes behind all others', async () => {
    const eldest = await story('a fig');
    await app.write('Bugs/bulk', named(`fig ${eldest}`, 500));
    const page = async (more: string) => app.json(`/api/v1/Search?q=${eldest}&${more}`);
    expect((await page('take=1')).Items.map(({ Id }: { Id: number }) => Id)).toEqual([eldest]);
    const ends = [await page('take=100&skip=400'), await page('take=100&skip=500')];
    expect(ends.map(({ Items, Next }) => [Items.length, typeof Next])).toEqual([
      [100, 'string'],
      [1, 'undefined'],
    ]);
  });

  it('is one of a phrase, too', async () => {
    await app.write('Bugs/bulk', named('loquat jam', 500));
    expect(await warningOf('"loquat jam"')).toBe(warning);
    expect(await warningOf('"jam loquat"')).toBeNull();
  });
});

describe('phrases', () => {
  it('are looked for in the newest texts that have all their words', async () => {
    const eldest = await story('a gooseberry currant bush');
    for (let count = 0; count < 4; count += 1) await story('a currant, a gooseberry');
    for (const phrase of ['"gooseberry currant"', 'gooseberry/currant', 'bush "gooseberry currant"'])
      expect([phrase, await idsOf(phrase)]).toEqual([phrase, [eldest]]);
    readForPhrases.texts = 4;
    expect(await idsOf('"gooseberry currant"')).toEqual([]);
    // Fewer texts have this word, too.
    expect(await idsOf('bush "gooseberry currant"')).toEqual([eldest]);
    expect(await idsOf('gooseberry currant')).toHaveLength(5);
    expect(await idsOf('gooseberry -"gooseberry currant"')).toHaveLength(4);
    readForPhrases.texts = 5;
    expect(await idsOf('"gooseberry currant"')).toEqual([eldest]);
    readForPhrases.bytes = 200;
    expect(await idsOf('"gooseberry currant"')).toEqual([]);
  });

  it('that are looked for in a part of the texts say so on each page, whether any was found or not', async () => {
    const said =
      '199 worktrack "A phrase is looked for in the newest 3000 texts that have its words: there may be others."';
    const warningOf = async (q: string, more: string): Promise<string | null> =>
      (await app.ask(`/api/v1/Search?q=${encodeURIComponent(q)}${more}`)).headers.get('warning');
    await story('a rowan elder');
    for (let count = 0; count < 4; count += 1) await story('an elder, a rowan');
    for (const q of ['"rowan elder"', '"elder rowan"', 'rowan -"rowan elder"'])
      for (const more of ['', '&format=json', '&take=1', '&take=0', '&skip=20']) {
        expect([q, more, await warningOf(q, more)]).toEqual([q, more, null]);
        readForPhrases.texts = 4;
        expect([q, more, await warningOf(q, more)]).toEqual([q, more, said]);
        Object.assign(readForPhrases, { ...usual, bytes: 200 });
        expect([q, more, await warningOf(q, more)]).toEqual([q, more, said]);
        Object.assign(readForPhrases, usual);
      }
    readForPhrases.texts = 4;
    expect(await warningOf('rowan elder', '')).toBeNull();
  });

  it('are found whatever others have hidden', async () => {
    const own = await story('a mulberry medlar tree');
    for (let count = 0; count < 6; count += 1) await story('a medlar, a mulberry', hidden);
    readForPhrases.texts = 3;
    expect(await idsOf('"mulberry medlar"', 'alice')).toEqual([own]);
    expect(await idsOf('"mulberry medlar"')).toEqual([]);
  });

  it('are left out where they stand, and nowhere else', async () => {
    await story('damson sloe');
    const apart = await story('sloe and damson');
    expect(await idsOf('damson -"damson sloe"')).toEqual([apart]);
    expect(await idsOf('damson -"no such"')).toHaveLength(2);
    expect(await idsOf('-"damson sloe" damson -and')).toEqual([]);
  });
});

describe('values of custom fields', () => {
  it('that the process of another project does not define go with the move', async () => {
    const from = { EntityType: { Id: 4 }, Process: { Id: 3 }, FieldType: 'Text' };
    await app.write('CustomFields', { ...from, Name: 'Rootstock' });
    await app.write('CustomFields', { ...from, Name: 'Soil' });
    await app.write('CustomFields', { ...from, Name: 'Soil', Process: { Id: 1 } });
    const elsewhere = (await app.write('Projects', { Name: 'Elsewhere', Process: { Id: 1 } })).Id;
    const id = await story('Graft');
    const CustomFields = [
      { Name: 'Rootstock', Value: 'pixyplum' },
      { Name: 'Soil', Value: 'loamclay' },
    ];
    await app.write(`UserStories/${id}`, { CustomFields });
    expect([await idsOf('pixyplum'), await idsOf('loamclay')]).toEqual([[id], [id]]);
    await app.write(`UserStories/${id}`, { Project: { Id: elsewhere } });
    const values = (await app.json(`/api/v1/UserStories/${id}?include=[CustomFields]`)).CustomFields;
    const shown = values.flatMap(({ Value }: { Value: unknown }) => (typeof Value === 'string' ? Value : []));
    expect(shown).toEqual(['loamclay']);
    expect([await idsOf('pixyplum'), await idsOf('loamclay')]).toEqual([[], [id]]);
    const countWhere = async (where: string) =>
      (await app.items(`/api/v1/UserStories?where=${where}&include=[Id]`)).length;
    expect(await countWhere("CustomFields.Rootstock eq 'pixyplum'")).toBe(0);
    expect(await countWhere("CustomFields.Soil eq 'loamclay'")).toBe(1);
    expect(
      (await app.ask("/api/v2/UserStory?where=customValues.text('Rootstock')=='pixyplum'")).json.items ?? [],
    ).toEqual([]);
    // Back again, nothing is there that was not there in between.
    await app.write(`UserStories/${id}`, { Project: { Id: project } });
    expect(await countWhere("CustomFields.Rootstock eq 'pixyplum'")).toBe(0);
  });
});

it('an item is stored whose texts, tags and custom fields are all full of words that take most room', async () => {
  // Cuneiform: four bytes a letter.
  const letters = Array.from({ length: 600 }, (_, at) => String.fromCodePoint(0x12000 + at));
  const words = (first: number, count: number): string[] =>
    Array.from({ length: count }, (_, at) => letters[Math.floor((first + at) / 600)]! + letters[(first + at) % 600]);
  // Of Han letters each is a word.
  const han = Array.from({ length: 42_700 }, (_, at) => String.fromCodePoint(0x20000 + at)).join('');
  const field = { EntityType: { Id: 4 }, Process: { Id: 3 }, FieldType: 'RichText', Name: 'Wedges' };
  await app.write('CustomFields', field);
  const Tags = Array.from({ length: 200 }, (_, at) => words(70_000 + at * 50, 50).join(' ')).join(',');
  const body = {
    ...{ Name: 'wedges', Project: { Id: project }, Tags, Description: `${han} ${words(0, 19_000).join(' ')}` },
    CustomFields: [{ Name: 'Wedges', Value: words(35_000, 33_333).join(' ') }],
  };
  const { status, text } = await app.post('/api/v1/UserStories?include=[Id]', body);
  expect([status, text.slice(0, 300)]).toEqual([201, expect.any(String)]);
});
