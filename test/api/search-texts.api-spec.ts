/** Search: which texts an item has, and where each of them ends. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  project = (await app.write('Projects', { Name: 'Texts', Process: { Id: 3 } })).Id;
  for (const [Name, FieldType] of [
    ['First', 'Text'],
    ['Second', 'Text'],
    ['Rich', 'RichText'],
    ['Site', 'URL'],
  ])
    await app.write('CustomFields', { Name, FieldType, EntityType: { Id: 4 }, Process: { Id: 3 } });
});
afterAll(() => app.stop());

const idsOf = async (text: string): Promise<number[]> =>
  (await app.json(`/api/v1/Search?project=${project}&take=100&q=${encodeURIComponent(text)}`)).Items.map(
    ({ Id }: { Id: number }) => Id,
  );
const foundBy = async (texts: readonly string[]) =>
  Object.fromEntries(await Promise.all(texts.map(async (text) => [text, await idsOf(text)] as const)));
const each = (texts: readonly string[], ids: readonly number[]) => Object.fromEntries(texts.map((text) => [text, ids]));
const story = async (fields: object): Promise<number> =>
  (await app.write('UserStories', { Project: { Id: project }, Name: 'Item', ...fields })).Id;
const value = (Name: string, Value: unknown) => ({ Name, Value });

it.each([
  ['letters of ASCII', ''],
  ['other letters and marks', 'é q\u0303'],
  ['letters that are words by themselves', '测'],
])('a phrase lies within one text: %s', async (_, more) => {
  const suffix = more.replace(' ', '');
  const word = (text: string): string => `${text}${suffix}`;
  const id = await story({
    Name: word('myname'),
    Tags: `${word('tagone')} x!, ${word('tagtwo')}`,
    CustomFields: [value('First', `${word('valone')} y.`), value('Second', word('valtwo'))],
    Description: `${word('desone')} ${word('destwo')}`,
  });
  const across = [
    `"${word('myname')} tagone*"`,
    `"${word('myname')} tagtwo*"`,
    `"${word('tagone')} x tagtwo*"`,
    `"${word('tagtwo')} tagone*"`,
    `"x valone*"`,
    `"${word('tagtwo')} valone*"`,
    `"${word('valone')} y valtwo*"`,
    `"${word('valtwo')} desone*"`,
    `"y desone*"`,
  ];
  expect(await foundBy(across)).toEqual(each(across, []));
  const within = [`"${word('tagone')} x"`, `"${word('valone')} y"`, `"${word('desone')} ${word('destwo')}"`];
  const all = ['myname', 'tagone', 'tagtwo', 'valone', 'valtwo', 'desone'].map(word).join(' ');
  expect(await foundBy([...within, all])).toEqual(each([...within, all], [id]));
  const excluding = across.map((phrase) => `${word('tagone')} -${phrase}`);
  expect(await foundBy(excluding)).toEqual(each(excluding, [id]));
});

it('a phrase across texts is none after each of them has changed', async () => {
  const id = await story({ Name: 'plum' });
  await app.write(`UserStories/${id}`, { Tags: 'quince, rowan' });
  await app.write(`UserStories/${id}`, { CustomFields: [value('First', 'sloe')] });
  await app.write(`UserStories/${id}`, { Description: 'tamarind' });
  await app.write(`UserStories/${id}`, { Name: 'plum tree' });
  const across = ['"tree quince"', '"quince rowan"', '"rowan quince"', '"rowan sloe"', '"sloe tamarind"'];
  expect(await foundBy(across)).toEqual(each(across, []));
  expect(await idsOf('"plum tree" quince rowan sloe tamarind')).toEqual([id]);
});

const html =
  '<p class="zzlead">zzcaf&eacute;teria&nbsp;<b>zzwei</b>drei <a href="https://zzhost.example/q">zzlink</a></p><!-- zzcomment -->';

it('RichText custom fields are searched as HTML, others as they stand', async () => {
  const rich = await story({ CustomFields: [value('Rich', html)] });
  const plain = await story({ CustomFields: [value('First', html)] });
  expect(await foundBy(['zzcaféteria', 'zzlink', 'drei', 'eacute', 'nbsp', 'zzhost', 'zzcomment', 'zzlead'])).toEqual({
    zzcaféteria: [rich],
    zzlink: [plain, rich],
    drei: [plain, rich],
    ...each(['eacute', 'nbsp', 'zzhost', 'zzcomment', 'zzlead'], [plain]),
  });
});

it('RichText custom fields are searched as HTML when their definition or their item has changed', async () => {
  const field = await app.write('CustomFields', {
    Name: 'Before',
    FieldType: 'RichText',
    EntityType: { Id: 4 },
    Process: { Id: 3 },
  });
  const id = await story({ CustomFields: [value('Before', '<p class="yylead">yyfirst</p>')] });
  await app.write(`CustomFields/${field.Id}`, { Name: 'Behind' });
  expect(await foundBy(['yyfirst', 'yylead'])).toEqual({ yyfirst: [id], yylead: [] });
  await app.write(`UserStories/${id}`, { CustomFields: [value('Behind', '<p class="yylead">yysecond</p>')] });
  expect(await foundBy(['yyfirst', 'yysecond', 'yylead'])).toEqual({ yyfirst: [], yysecond: [id], yylead: [] });
  const other = await app.write('Projects', { Name: 'Texts elsewhere', Process: { Id: 3 } });
  await app.write(`UserStories/${id}`, { Project: { Id: other.Id } });
  await app.write(`UserStories/${id}`, { Project: { Id: project } });
  expect(await foundBy(['yysecond', 'yylead'])).toEqual({ yysecond: [id], yylead: [] });
});

it('RichText custom fields of a project are those of its own process', async () => {
  await app.write('CustomFields', {
    Name: 'Charter',
    FieldType: 'RichText',
    EntityType: { Id: 1 },
    Process: { Id: 3 },
  });
  const CustomFields = [value('Charter', '<p class="xxlead">xxcharter</p>')];
  const { Id } = await app.write('Projects', { Name: 'Charted', Process: { Id: 3 }, CustomFields });
  const ids = async (text: string) =>
    (await app.json(`/api/v1/Search?q=${text}`)).Items.map((one: { Id: number }) => one.Id);
  expect([await ids('xxcharter'), await ids('xxlead')]).toEqual([[Id], []]);
});

it('labels of links are searched, their addresses are not', async () => {
  const link = { Url: 'https://wwhost.example/wwpath', Label: 'wwlabel of it' };
  const id = await story({ CustomFields: [value('Site', link), value('First', 'wwfirst')] });
  expect(await foundBy(['"wwlabel of it"', 'wwhost', 'wwpath'])).toEqual({
    '"wwlabel of it"': [id],
    wwhost: [],
    wwpath: [],
  });
});

it('letters that the database does not know are refused, and none of them is passed over', async () => {
  const [{ newer }] = (await app.database.query(`select '\u{1C97}' collate "und-x-icu" !~ '[[:alnum:]]' as newer`))
    .rows;
  expect(newer).toBe(true);
  await story({ Name: 'vvbasket' });
  for (const q of [
    'vvbasket \u{1C97}\u{1C91}',
    '"vvbasket \u{1C97}"',
    'vvbasket -\u{1C97}',
    'vv\u{1C97}*',
    'vvbasket \u{16E40}',
  ]) {
    const answer = await app.ask(`/api/v1/Search?format=json&q=${encodeURIComponent(q)}`);
    expect([q, answer.status, answer.json.Message]).toEqual([
      q,
      400,
      expect.stringMatching(/^q: . \(U\+(?:1C97|16E40)\) is no letter to the database, whose Unicode is older: /u),
    ]);
  }
  const known = await story({ Name: 'vvთბილისი' });
  expect(await idsOf('vvთბილისი')).toEqual([known]);
});

it('items that are shown with the same rank come by their ids', async () => {
  const words = Array.from({ length: 12 }, (_, at) => `uu${at}`);
  const ids: number[] = [];
  for (const Name of [words[0], 'nothing of it', words[5], 'nothing'])
    ids.push(await story({ Name, Description: words.join(' ') }));
  const { Items } = await app.json(`/api/v1/Search?project=${project}&q=${words.join('%20')}`);
  const found = Items.map(({ Id, Found }: { Id: number; Found: { Rank: number } }) => [Id, Found.Rank]);
  expect(found).toEqual(ids.toReversed().map((id) => [id, 0]));
});

it('what stands behind long marks is searched, and what took its place', async () => {
  const long = (text: string): string => `<p style="${'color:red;'.repeat(2500)}">${text}</p>`;
  const id = await story({ CustomFields: [value('Rich', long('vvbegin')), value('Second', 'vvfirst')] });
  expect(await foundBy(['vvbegin', 'vvfirst'])).toEqual(each(['vvbegin', 'vvfirst'], [id]));
  await app.write(`UserStories/${id}`, { CustomFields: [value('Second', 'vvsecond')] });
  expect(await foundBy(['vvfirst', 'vvsecond'])).toEqual({ vvfirst: [], vvsecond: [id] });
  await app.write(`UserStories/${id}`, { CustomFields: [value('Rich', long('vvend'))] });
  expect(await foundBy(['vvbegin', 'vvend'])).toEqual({ vvbegin: [], vvend: [id] });
});
