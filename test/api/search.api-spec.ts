/** Search: who is found by which words, in which order, by whom; and that the index of words follows whoever writes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, chosenPassword, TestApp } from '../support/app.js';

let app: TestApp;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  project = (await app.post('/api/v1/Projects', { Name: 'Orchard' })).json.Id;
});
afterAll(() => app.stop());

const search = (text: string, more = '', as = 'admin'): Promise<Answer> =>
  app.ask(`/api/v1/Search?format=json&q=${encodeURIComponent(text)}${more}`, { as });

const idsOf = async (text: string, more = '', as = 'admin'): Promise<number[]> => {
  const answer = await search(text, more, as);
  expect(answer.status, answer.text).toBe(200);
  return answer.json.Items.map((item: { Id: number }) => item.Id);
};

const story = async (fields: object): Promise<number> => {
  const answer = await app.post('/api/v1/UserStories', { Project: { Id: project }, ...fields });
  expect(answer.status, answer.text).toBe(201);
  return answer.json.Id;
};

/** The words of all visible items, worked out from what lists show. */
describe('of all words that a caller may read', () => {
  const plain = (html: string | null): string => (html ?? '').replace(/<[^>]*>|&#?[a-zA-Z0-9]+;/g, ' ');
  const textOf = ({ Value }: { Value: unknown }): string => (typeof Value === 'string' ? Value : '');
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{Nd}]+/gu) ?? [];

  it.each(['admin', 'alice', 'bruno'])('%s finds those items, and no others', async (as) => {
    const shown = 'include=[Id,Name,Description,Tags,CustomFields]&take=1000';
    const items = await app.items(`/api/v1/Generals?${shown}`, { as });
    const more = await app.items(`/api/v1/Generals?${shown}&skip=1000`, { as });
    const comments = await app.items('/api/v1/Comments?include=[Description,General[Id]]&take=1000', { as });
    const texts = new Map<string, Set<number>>();
    const add = (id: number, words: string[]): void => {
      for (const word of words) texts.set(word, (texts.get(word) ?? new Set()).add(id));
    };
    for (const one of [...items, ...more]) {
      const custom = (one.CustomFields ?? []).filter(({ Type }: { Type: string }) => Type !== 'MultipleEntities');
      add(one.Id, wordsOf([one.Name, one.Tags, plain(one.Description), ...custom.map(textOf)].join(' ')));
    }
    for (const { General, Description } of comments) add(General.Id, wordsOf(plain(Description)));
    const rare = [...texts].filter(([word, ids]) => ids.size < 300 && !/^\d+$/.test(word));
    const asked = rare.filter((_, index) => index % Math.ceil(rare.length / 60) === 0);
    expect(asked.length).toBeGreaterThan(20);
    for (const [word, ids] of asked) {
      const found = await idsOf(word, '&take=1000', as);
      expect([word, found.sort((a, b) => a - b)]).toEqual([word, [...ids].sort((a, b) => a - b)]);
    }
  });
});

describe('words', () => {
  let quince: number;
  let other: number;
  let zebrafish: number[];
  beforeAll(async () => {
    const inName = [await story({ Name: 'A zebrafish' }), await story({ Name: 'The zebrafish' })];
    const elsewhere = [await story({ Name: 'Striped', Description: 'zebrafish' })];
    const inTag = await story({ Name: 'Spotted', Tags: 'zebrafish' });
    elsewhere.push(await story({ Name: 'Dotted', Description: 'zebrafish' }));
    zebrafish = [...inName.reverse(), inTag, ...elsewhere.reverse()];
    quince = await story({
      Name: 'Harvest the Quince trees',
      Description: '<p>Needs <b>ladders</b>/baskets&amp;gloves</p>',
    });
    other = await story({ Name: 'Prune', Description: '<div>quince and medlar, Ünïcode Слово</div>' });
  });

  it.each([
    ['a word of the name before one of the description', 'quince', () => [quince, other]],
    ['in any letter case', 'QUINCE HARVEST', () => [quince]],
    ['all of several words', 'quince medlar', () => [other]],
    ['none of what is excluded', 'quince -medlar', () => [quince]],
    ['no phrase that is excluded', 'quince -"harvest the quince"', () => [other]],
    ['what a lone minus stands before', 'quince - medlar', () => [other]],
    ['as before with a lone minus first', '- quince', () => [quince, other]],
    ['a phrase', '"quince trees"', () => [quince]],
    ['no phrase in another order', '"trees quince"', () => []],
    ['words that begin so', 'quin* ladd*', () => [quince]],
    ['not the middle of a word', 'uince', () => []],
    ['words between marks', 'baskets gloves', () => [quince]],
    ['no mark of HTML', 'quince div', () => []],
    ['letters beyond ASCII', 'ÜNÏCODE слово', () => [other]],
    ['marks like white space', 'quince,trees!', () => [quince]],
    ['an open quote like a closed one', '"quince trees', () => [quince]],
  ])('finds %s', async (_, text, expected) => expect(await idsOf(text)).toEqual(expected()));

  it.each([
    'zebrafish',
    'zebrafish -mobile',
    'zebrafish -"the old"',
    'zebra* -mobile',
    'zebrafish -mobile -77',
  ])('ranks what is found by %s by what is looked for', async (text) => {
    const { Items } = (await search(text)).json;
    expect(Items.map(({ Id }: { Id: number }) => Id)).toEqual(zebrafish);
    const ranks = Items.map(({ Found }: { Found: { Rank: number } }) => Found.Rank);
    const [inName, alsoInName, inTag, ...elsewhere] = ranks;
    expect(inName).toBe(alsoInName);
    expect(alsoInName).toBeGreaterThan(inTag);
    expect(inTag).toBeGreaterThan(0);
    expect(elsewhere).toEqual([0, 0]);
  });

  it('finds an entity by its id before all others', async () => {
    const mention = await story({ Name: `See ${quince}` });
    expect(await idsOf(`${quince}`)).toEqual([quince, mention]);
    expect(await idsOf(`#${quince}`)).toEqual([quince, mention]);
  });

  it('shows where the words stand, with no markup but marks', async () => {
    const id = await story({
      Name: 'A <script>zyzzyva</script>',
      Description: `<p>${'far '.repeat(80)}the zyzzyva &lt;i&gt; here</p>`,
    });
    const [item] = (await search('zyzzyva')).json.Items;
    expect(item).toMatchObject({
      ResourceType: 'General',
      Id: id,
      EntityType: { Name: 'UserStory' },
      Project: { Id: project },
    });
    const [inName, inText] = item.Found.Highlights.Items;
    expect(inName).toEqual({ Field: 'Name', Html: 'A &lt;script&gt;<mark>zyzzyva</mark>&lt;/script&gt;' });
    expect(inText.Field).toBe('Description');
    expect(inText.Html).toContain('the <mark>zyzzyva</mark>');
    expect(inText.Html.length).toBeLessThan(300);
  });

  it('answers in XML', async () => {
    const answer = await app.ask('/api/v1/Search?q=medlar');
    expect(answer.headers.get('content-type')).toContain('xml');
    expect(answer.text).toMatch(
      /<SearchResults>\s*<General ResourceType="General" Id="\d+".*<Found Rank="[\d.]+".*<Highlight Field="Description" Html="[^"]*&lt;mark&gt;medlar/s,
    );
  });
});

describe('what is searched follows the texts', () => {
  it('of the entity', async () => {
    const id = await story({ Name: 'Mirabelle' });
    expect(await idsOf('mirabelle')).toEqual([id]);
    await app.post(`/api/v1/UserStories/${id}`, { Name: 'Greengage' });
    expect(await idsOf('mirabelle')).toEqual([]);
    expect(await idsOf('greengage')).toEqual([id]);
    await app.ask(`/api/v1/UserStories/${id}`, { method: 'DELETE' });
    expect(await idsOf('greengage')).toEqual([]);
  });

  it('of tags', async () => {
    const id = await story({ Name: 'Tagged', Tags: 'bletted, sour' });
    expect(await idsOf('tagged bletted')).toEqual([id]);
    await app.rows("update tag set name = 'frosted' where name = 'bletted'");
    expect(await idsOf('bletted')).toEqual([]);
    expect(await idsOf('frosted')).toEqual([id]);
    await app.post(`/api/v1/UserStories/${id}`, { Tags: 'sour' });
    expect(await idsOf('frosted')).toEqual([]);
  });

  it('of comments', async () => {
    const id = await story({ Name: 'Commented' });
    const { json } = await app.post('/api/v1/Comments', { General: { Id: id }, Description: 'a tayberry perhaps' });
    const [item] = (await search('tayberry')).json.Items;
    expect(item.Id).toBe(id);
    expect(item.Found).toMatchObject({
      CommentId: json.Id,
      Highlights: { Items: [{ Field: 'Comment', Html: 'a <mark>tayberry</mark> perhaps' }] },
    });
    await app.post(`/api/v1/Comments/${json.Id}`, { Description: 'a boysenberry' });
    expect(await idsOf('tayberry')).toEqual([]);
    expect(await idsOf('boysenberry')).toEqual([id]);
    await app.ask(`/api/v1/Comments/${json.Id}`, { method: 'DELETE' });
    expect(await idsOf('boysenberry')).toEqual([]);
  });

  it('of rows that are written and removed by SQL', async () => {
    const id = await story({ Name: 'Kept' });
    await app.rows(
      'update general set name = \'Loganberry\', custom_values = custom_values || \'{"Any":"worcesterberry"}\' where id = $1',
      [id],
    );
    expect(await idsOf('loganberry worcesterberry')).toEqual([id]);
  });

  it('of many items that one statement changes in several ways', async () => {
    const other = (await app.post('/api/v1/Projects', { Name: 'Far orchard' })).json.Id;
    const ids: number[] = [];
    for (let n = 1; n <= 5; n += 1)
      ids.push(await story({ Name: `Basket ${n}`, Description: `<b>Jam</b> ${'of fruit '.repeat(n % 2 ? 200 : 1)}` }));
    const [named, described, moved, all, none] = ids;
    await app.post('/api/v1/Comments', { General: { Id: all }, Description: 'Marmalade' });
    await app.rows(
      `update general set name = case when id in ($1, $4) then 'Trug/cobnut_filbert' else name end,
         description = case when id in ($2, $4) then '<i>Chutney</i>&nbsp;of quince-pear' else description end,
         project_id = case when id in ($3, $4) then $6 else project_id end,
         custom_values = case when id = $5 then '{"Weight":"heavy","Count":7}' else custom_values end
       where id in ($1, $2, $3, $4, $5)`,
      [named, described, moved, all, none, other],
    );
    const found = async (text: string, more?: string): Promise<number[]> => (await idsOf(text, more)).sort();
    expect(await found('filbert')).toEqual([named, all]);
    expect(await found('trug jam')).toEqual([named]);
    expect(await found('chutney pear')).toEqual([described, all]);
    expect(await found('basket jam')).toEqual([moved, none]);
    expect(await found('basket heavy')).toEqual([none]);
    expect(await found('jam', `&project=${other}`)).toEqual([moved]);
    expect(await found('marmalade', `&project=${other}`)).toEqual([all]);
    await app.rows('update general set custom_values = \'{"Weight":"light"}\' where id = any($1)', [[named, none]]);
    expect([await found('heavy'), await found('light')]).toEqual([[], [named, none]]);
  });

  it('of a long text, whatever else changes', async () => {
    const long = (word: string): string => `${word} ${'plum '.repeat(400)}`;
    const id = await story({ Name: 'Jar', Description: long('Damson') });
    const comment = await app.post('/api/v1/Comments', { General: { Id: id }, Description: long('Bullace') });
    await app.post(`/api/v1/UserStories/${id}`, { Name: 'Crock', Tags: 'cellar' });
    expect(await idsOf('crock damson cellar')).toEqual([id]);
    expect(await idsOf('jar damson')).toEqual([]);
    await app.post(`/api/v1/UserStories/${id}`, { Name: 'Vat', Description: long('Mirabelle') });
    expect(await idsOf('vat mirabelle')).toEqual([id]);
    expect(await idsOf('damson')).toEqual([]);
    const orchard = (await app.post('/api/v1/Projects', { Name: 'Other orchard' })).json.Id;
    await app.post(`/api/v1/UserStories/${id}`, { Project: { Id: orchard } });
    expect(await idsOf('mirabelle', `&project=${orchard}`)).toEqual([id]);
    expect(await idsOf('bullace', `&project=${orchard}`)).toEqual([id]);
    await app.post(`/api/v1/Comments/${comment.json.Id}`, { Description: 'Sloe' });
    expect(await idsOf('sloe')).toEqual([id]);
    expect(await idsOf('bullace')).toEqual([]);
    await app.post(`/api/v1/UserStories/${id}`, { Description: 'Greengage' });
    expect(await idsOf('vat greengage')).toEqual([id]);
    expect(await idsOf('mirabelle')).toEqual([]);
  });

  it('keeps a text of a mebibyte, of which the beginning is searched', async () => {
    const id = await story({
      Name: 'Long',
      Description: `jostaberry ${'wörd '.repeat(150_000)} whitecurrant ${'x'.repeat(100_000)}`,
    });
    expect(await idsOf('jostaberry')).toEqual([id]);
    expect(await idsOf('whitecurrant')).toEqual([]);
    const odd = Array.from({ length: 60_000 }, (_, n) => String.fromCodePoint(0x20000 + n)).join(' ');
    expect(await story({ Name: 'Odd', Description: odd })).toEqual(expect.any(Number));
  });
});

describe('lists', () => {
  it('are narrowed to types, projects and a filter', async () => {
    const [first, second] = [await story({ Name: 'Damson one' }), await story({ Name: 'Damson two' })];
    const bug = (await app.post('/api/v1/Bugs', { Name: 'Damson bug', Project: { Id: project } })).json.Id;
    expect((await idsOf('damson')).sort()).toEqual([first, second, bug].sort());
    expect(await idsOf('damson', '&types=Bug')).toEqual([bug]);
    expect((await idsOf('damson', '&types=userstories,Feature')).sort()).toEqual([first, second].sort());
    expect(await idsOf('damson', `&project=${project + 1000000}`)).toEqual([]);
    expect(await idsOf('damson', `&project=${project}&types=Bug`)).toEqual([bug]);
    expect(await idsOf('damson', `&where=${encodeURIComponent("Name contains 'two'")}`)).toEqual([second]);
  });

  it('take an empty parameter as none', async () => {
    for (const empty of ['&types=&project=', '&types&project=%20', '&where=&take='])
      expect([empty, await idsOf('damson', empty)]).toEqual([empty, await idsOf('damson')]);
    expect((await search('damson', '&types=&project=&take=1')).json.Next).not.toMatch(/types|project/);
    expect((await search('', '&types=')).json.Message).toContain('a word to look for');
  });

  it('lead from page to page', async () => {
    for (let n = 0; n < 5; n++) await story({ Name: `Sloe ${n}` });
    const whole = await idsOf('sloe');
    const first = (await search('sloe', '&take=2&types=UserStory')).json;
    expect(first.Next).toContain('/api/v1/Search/?q=sloe&types=UserStory&format=json&take=2&skip=2');
    const second = await app.json(first.Next.replace(app.base, ''));
    expect([...first.Items, ...second.Items].map((item: { Id: number }) => item.Id)).toEqual(whole.slice(0, 4));
    expect(second.Prev).toContain('skip=0');
  });

  it('show what include says', async () => {
    const [item] = (await search('sloe', '&include=[CreateDate]&take=1')).json.Items;
    expect(Object.keys(item)).toEqual(['ResourceType', 'Id', 'CreateDate', 'Found']);
  });
});

describe('what is hidden', () => {
  let login: string;
  let own: number;
  beforeAll(async () => {
    const person = {
      FirstName: 'Pip',
      LastName: 'Core',
      Email: 'pip@example.com',
      Login: 'pip',
      Password: chosenPassword,
    };
    const user = (await app.post('/api/v1/Users', person)).json.Id;
    own = (await app.post('/api/v1/Projects', { Name: 'Own' })).json.Id;
    await app.post('/api/v1/ProjectMembers', { Project: { Id: own }, User: { Id: user } });
    login = 'pip';
  });

  it('is not found, by no word, id or comment', async () => {
    const id = await story({ Name: 'Secret bilberry', Description: 'cloudberry' });
    await app.post('/api/v1/Comments', { General: { Id: id }, Description: 'crowberry' });
    for (const text of ['bilberry', 'cloudberry', 'crowberry', `#${id}`, 'bilb*']) {
      expect(await idsOf(text)).toEqual([id]);
      expect(await idsOf(text, '', login)).toEqual([]);
    }
    expect(await idsOf('bilberry', `&project=${project}`, login)).toEqual([]);
  });

  it('takes no place from what is seen', async () => {
    const seen = (await app.post('/api/v1/Bugs', { Name: 'lingonberry', Project: { Id: own } })).json.Id;
    const bodies = Array.from({ length: 600 }, (_, n) => ({ Name: `lingonberry ${n}`, Project: { Id: project } }));
    expect((await app.post('/api/v1/Bugs/bulk', bodies)).status).toBeLessThan(300);
    expect(await idsOf('lingonberry', '', login)).toEqual([seen]);
    expect(await idsOf('lingonberry', '&take=1000')).toHaveLength(500);
  });

  it('is found by whose team it is assigned to, without the name of its project', async () => {
    const team = (await app.post('/api/v1/Teams', { Name: 'Pickers' })).json.Id;
    const { Items } = await app.json(`/api/v1/Users?where=Login eq '${login}'&include=[Id]`);
    await app.post('/api/v1/TeamMembers', { Team: { Id: team }, User: { Id: Items[0].Id } });
    const id = await story({ Name: 'cowberry' });
    expect(await idsOf('cowberry', '', login)).toEqual([]);
    const assigned = await app.post('/api/v1/TeamAssignments', { Assignable: { Id: id }, Team: { Id: team } });
    expect(assigned.status, assigned.text).toBe(201);
    const [item] = (await search('cowberry', '', login)).json.Items;
    expect(item).toMatchObject({ Id: id, Project: null });
    await app.ask(`/api/v1/TeamAssignments/${assigned.json.Id}`, { method: 'DELETE' });
    expect(await idsOf('cowberry', '', login)).toEqual([]);
    await app.post(`/api/v1/UserStories/${id}`, { Project: { Id: own } });
    expect(await idsOf('cowberry', '', login)).toEqual([id]);
  });

  it('is nothing to nobody', async () => {
    expect((await search('bilberry', '', 'nobody')).status).toBe(401);
  });
});

describe('refuses', () => {
  it.each([
    ['', 'a word'],
    ['-only', 'a word'],
    ['!?', 'a word'],
    ['½ -zzz', 'a word'],
    ['a*', 'two letters|2 letters'],
    ['x '.repeat(21), 'too many words'],
    ['y'.repeat(501), 'too many characters'],
  ])('%s', async (text, message) => {
    const answer = await search(text);
    expect(answer.status).toBe(400);
    expect(answer.json.Message).toMatch(new RegExp(message));
  });

  it.each([
    ['&types=Usr', 'types: there is no type Usr'],
    ['&types=User', 'types: there is no type User'],
    ['&project=x', 'project: ids are needed'],
    ['&orderBy=Name', 'order of its rank'],
    ['&where=Nme eq 1', 'Nme'],
    ['&type=Bug', "Did you mean 'types'"],
    ['&projects=8', "Did you mean 'project'"],
    ['&projectId=8', "Did you mean 'project'"],
    ['&projct=8', "Did you mean 'project'"],
    ['&teamId=8', "Unknown parameter 'teamId'."],
    ['&wher=Id', "Did you mean 'where'"],
    ['&types=&types=Bug', 'types'],
  ])('%s', async (more, message) => {
    const answer = await search('sloe', more);
    expect(answer.status).toBe(400);
    expect(answer.json.Message).toContain(message);
  });

  it.each(['csv', 'ndjson'])('format=%s', async (format) => {
    const answer = await app.ask(`/api/v1/Search?q=sloe&format=${format}`);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('JSON or XML');
  });

  it('takes whatever is typed as words', async () => {
    for (const text of [
      "o'b'c",
      '<-> a & b | !c',
      ':* a:b',
      '\\ \' " x',
      "'; drop table x; --",
      'a\u0001b',
      '%_',
      '(((',
      '#99999999999999999999 z',
    ])
      expect((await search(`sloe ${text}`)).status).toBe(200);
  });
});
