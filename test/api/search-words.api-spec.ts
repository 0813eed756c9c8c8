/** Search: what a word is in any script, in names and in HTML, and how it is shown. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
let project: number;

beforeAll(async () => {
  app = await TestApp.start();
  project = (await app.write('Projects', { Name: 'Orchard', Process: { Id: 3 } })).Id;
});
afterAll(() => app.stop());

interface Found {
  Id: number;
  Found: { Highlights: { Items: { Field: string; Html: string }[] } };
}

const search = async (text: string): Promise<Found[]> =>
  (await app.json(`/api/v1/Search?project=${project}&take=100&q=${encodeURIComponent(text)}`)).Items;
const idsOf = async (text: string): Promise<number[]> => (await search(text)).map(({ Id }) => Id);
const story = async (fields: object): Promise<number> =>
  (await app.write('UserStories', { Project: { Id: project }, ...fields })).Id;
const shownOf = ({ Found }: Found) => Found.Highlights.Items.map(({ Field, Html }) => [Field, Html]);

describe.each<[name: string, found: [q: string, html: string][], other: string[]]>([
  [
    'the q\u0303ab and x\u0302y',
    [
      ['q\u0303ab', 'the <mark>q\u0303ab</mark> and x\u0302y'],
      ['Q\u0303A*', 'the <mark>q\u0303ab</mark> and x\u0302y'],
      ['"x\u0302y"', 'the q\u0303ab and <mark>x\u0302y</mark>'],
      ['and -q', 'the q\u0303ab <mark>and</mark> x\u0302y'],
    ],
    ['q', 'ab', 'qab', 'y', 'x'],
  ],
  [
    'हिन्दी में खोज',
    [
      ['हिन्दी', '<mark>हिन्दी</mark> में खोज'],
      ['हिन्*', '<mark>हिन्दी</mark> में खोज'],
      ['"हिन्दी में" खोज', '<mark>हिन्दी में</mark> <mark>खोज</mark>'],
    ],
    ['हिन', 'हिन्द', 'दी', 'ह'],
  ],
  ['البحث عن مُحَمَّد', [['مُحَمَّد', 'البحث عن <mark>مُحَمَّد</mark>']], ['محمد', 'م', 'مُ']],
  [
    'ที่นี่ไม่มีปัญหา c++',
    [
      ['ปัญหา', 'ที่นี่ไม่มี<mark>ปัญหา</mark> c++'],
      ['ไม่มี c', 'ที่นี่<mark>ไม่มี</mark>ปัญหา <mark>c</mark>++'],
      ['"มีปัญหา c"', 'ที่นี่ไม่<mark>มีปัญหา c</mark>++'],
    ],
    ['ปญหา', 'ที', 'หาปัญ'],
  ],
  [
    '我们学c语言2024年',
    [
      ['语言', '我们学c<mark>语言</mark>2024年'],
      ['c', '我们学<mark>c</mark>语言2024年'],
      ['2024', '我们学c语言<mark>2024</mark>年'],
      ['学c语言', '我们<mark>学c语言</mark>2024年'],
      ['我们*', '<mark>我们</mark>学c语言2024年'],
      ['年 语 -月', '我们学c<mark>语</mark>言2024<mark>年</mark>'],
    ],
    ['语学', '言语', '202', 'c*2', '年 -语言'],
  ],
  [
    'カタカナと検索の葛\u{e0100}飾区',
    [
      ['検索', 'カタカナと<mark>検索</mark>の葛\u{e0100}飾区'],
      ['カナ', 'カタ<mark>カナ</mark>と検索の葛\u{e0100}飾区'],
      ['葛飾区', 'カタカナと検索の<mark>葛\u{e0100}飾区</mark>'],
      ['葛\u{e0102}飾区', 'カタカナと検索の<mark>葛\u{e0100}飾区</mark>'],
    ],
    ['索検'],
  ],
  [
    'Donau\u00addampf ❤\ufe0f heart 1\ufe0f\u20e3 step',
    [
      ['donaudampf', '<mark>Donau\u00addampf</mark> ❤\ufe0f heart 1\ufe0f\u20e3 step'],
      ['don\u00adau*', '<mark>Donau\u00addampf</mark> ❤\ufe0f heart 1\ufe0f\u20e3 step'],
      ['heart', 'Donau\u00addampf ❤\ufe0f <mark>heart</mark> 1\ufe0f\u20e3 step'],
      ['"1 step"', 'Donau\u00addampf ❤\ufe0f heart <mark>1\ufe0f\u20e3 step</mark>'],
    ],
    ['donau', 'dampf'],
  ],
  [
    'İstanbul \u0301loose -\u0302marks',
    [
      ['istanbul', '<mark>İstanbul</mark> \u0301loose -\u0302marks'],
      ['i\u0307stanbul loose', '<mark>İstanbul</mark> \u0301<mark>loose</mark> -\u0302marks'],
      ['marks', 'İstanbul \u0301loose -\u0302<mark>marks</mark>'],
      ['"istanbul loose marks"', '<mark>İstanbul \u0301loose -\u0302marks</mark>'],
    ],
    ['stanbul'],
  ],
  [
    "O'Brien's fix of foo_bar, foo.bar() and PROJ-456 at src/App.java v1.2.3",
    [
      ['o’brien', "<mark>O'Brien</mark>'s fix of foo_bar, foo.bar() and PROJ-456 at src/App.java v1.2.3"],
      ['foo_bar', "O'Brien's fix of <mark>foo_bar</mark>, <mark>foo.bar</mark>() and PROJ-456 at src/App.java v1.2.3"],
      [
        '“foo bar”',
        "O'Brien's fix of <mark>foo_bar</mark>, <mark>foo.bar</mark>() and PROJ-456 at src/App.java v1.2.3",
      ],
      ['PROJ-456', "O'Brien's fix of foo_bar, foo.bar() and <mark>PROJ-456</mark> at src/App.java v1.2.3"],
      ['"src app*"', "O'Brien's fix of foo_bar, foo.bar() and PROJ-456 at <mark>src/App</mark>.java v1.2.3"],
      ['"at sr"*', "O'Brien's fix of foo_bar, foo.bar() and PROJ-456 <mark>at src</mark>/App.java v1.2.3"],
      ['v1.2', "O'Brien's fix of foo_bar, foo.bar() and PROJ-456 at src/App.java <mark>v1.2</mark>.3"],
    ],
    ['obrien', 'foobar', '456-PROJ', '"at sr"', 'foo or nothing'],
  ],
])('%j', (Name, found, other) => {
  let id: number;
  beforeAll(async () => {
    id = await story({ Name });
  });

  it.each(found)('is found by %j', async (q, html) => {
    const items = await search(q);
    expect(items.map(({ Id, Found }) => [Id, Found.Highlights.Items[0]?.Html])).toContainEqual([id, html]);
  });

  it('is not found by other words', async () => {
    for (const q of other) expect([q, await idsOf(q)]).not.toEqual([q, expect.arrayContaining([id])]);
  });
});

describe('in descriptions and comments', () => {
  it.each([
    ['references to letters', '<p>&Uuml;berpr&uuml;fung &#233;t&#xE9;</p>', 'Überprüfung été', 'Überprüfung été'],
    [
      'other references',
      '<i>Rhu</i>&nbsp;&amp;&nbsp;Barb&rsquo;s&bogus;&#0;&#xD800;pie',
      '"rhu barb s pie"',
      'Rhu & Barb s pie',
    ],
    ['a reference that is written', '<p>plain &amp;auml; there</p>', '"plain auml there"', 'plain &auml; there'],
    ['signs that begin no mark', 'when a < 5 or elderberry -> b', '"5 or elderberry"', 'a < 5 or elderberry -> b'],
    ['a soft hyphen as a reference', 'black&shy;currants', 'blackcurrants', 'blackcurrants'],
    ['letters without blanks', `<p>${'遠い '.repeat(400)}桃と李</p>`, '桃と李', '桃と李'],
    ['marks', `<p>${'far '.repeat(400)}v\u0303 and p\u0303lum v</p>`, 'p\u0303lum', 'v\u0303 and p\u0303lum v'],
    ['the word with a mark behind one without', `x ${'far '.repeat(200)} v\u0303x`, 'v\u0303x', 'v\u0303x'],
    ['the word without a mark behind one with one', `v\u0303x ${'far '.repeat(200)} vx end`, 'vx', 'vx end'],
  ])('%s are read', async (_, text, q, shown) => {
    const id = await story({ Name: 'Jar', Description: text });
    const { Id: comment } = await app.write('Comments', { General: { Id: id }, Description: text });
    const plain = (html: string) =>
      html
        .replace(/<\/?mark>/g, '')
        .replace(/&(amp|lt|gt|quot);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as 'amp']);
    const items = (await search(q)).filter(({ Id }) => Id === id);
    expect(items).toHaveLength(1);
    const [[field, html]] = shownOf(items[0]!) as [[string, string]];
    expect(field).toBe('Description');
    expect(html).toContain('<mark>');
    expect(plain(html).replace(/\s+/g, ' ')).toContain(shown);
    await app.write(`UserStories/${id}`, { Description: '' });
    const [again] = (await search(q)).filter(({ Id }) => Id === id);
    expect(again).toMatchObject({ Found: { CommentId: comment } });
    expect(shownOf(again!)[0]).toEqual(['Comment', html]);
  });

  it('as many different letters as fit are kept', async () => {
    const letters = Array.from({ length: 97_000 }, (_, n) => String.fromCodePoint(0x20000 + n)).join('');
    await app.write('CustomFields', { Name: 'Glyphs', FieldType: 'Text', EntityType: { Id: 4 }, Process: { Id: 3 } });
    const id = await story({ Name: letters.slice(0, 400), Description: letters });
    await app.rows('update general set custom_values = jsonb_build_object($2::text, $3::text) where id = $1', [
      id,
      'Glyphs',
      letters,
    ]);
    expect(await idsOf(letters.slice(20_000, 20_010))).toEqual([id]);
  });
});

it('finds both ways to write a letter, which lists tell apart', async () => {
  const [one, apart] = ['zzcafé', 'zzcafe\u0301'];
  const ids = { [one]: await story({ Name: one }), [apart]: await story({ Name: apart }) };
  for (const [name, id] of Object.entries(ids)) {
    expect((await idsOf(name)).sort()).toEqual(Object.values(ids));
    for (const where of [`Name contains '${name.slice(2)}'`, `Name eq '${name}'`]) {
      const items = await app.items(`/api/v1/UserStories?where=${encodeURIComponent(where)}&include=[Id]`);
      expect(items.filter(({ Id }: { Id: number }) => Object.values(ids).includes(Id))).toMatchObject([{ Id: id }]);
    }
    const found = await app.json(`/api/v2/UserStory?select=id&where=name.contains('${encodeURIComponent(name)}')`);
    expect(found.items).toEqual([id]);
  }
});

it('shows tags that were found', async () => {
  const id = await story({ Name: 'Pear', Description: 'in a basket', Tags: 'wind fallen, bruised, éclat' });
  const [item] = await search('windfallen bruised'.replace('fallen', ' fallen'));
  expect([item!.Id, shownOf(item!)]).toEqual([
    id,
    [['Tags', '<mark>bruised</mark>, éclat, <mark>wind</mark> <mark>fallen</mark>']],
  ]);
  const [other] = await search('basket e\u0301clat');
  expect(shownOf(other!)).toEqual([
    ['Description', 'in a <mark>basket</mark>'],
    ['Tags', 'bruised, <mark>éclat</mark>, wind fallen'],
  ]);
});

describe('of what is pasted', () => {
  it.each([
    'https://www.example.com/path/to/page.html?x=1&y=2#fragment-of-it',
    'C:\\Users\\jane.doe\\AppData\\Local\\Temp\\report-final_v2.PDF',
    'jane.doe+test@example-site.co.uk',
    '9e9f012 12e3m 5e5x',
    '日本語の検索テスト、カタカナとひらがな。我们需要测试搜索功能是否能够正确处理中文字符',
  ])('%j finds itself', async (text) => {
    const id = await story({ Name: 'Pasted', Description: `see ${text.replaceAll('&', '&amp;')}, please` });
    const [item] = await search(text);
    expect(item!.Id).toBe(id);
    expect(shownOf(item!)[0]![1]!.replaceAll('</mark> <mark>', ' ')).toBe(
      `see <mark>${text.replaceAll('&', '&amp;')}</mark>, please`,
    );
  });

  it.each([
    ['測'.repeat(61), 'too many letters of scripts without blanks'],
    [`"${'x '.repeat(21)}"`, 'too many words'],
    ['x '.repeat(21), 'too many words'],
  ])('more than is read at once is refused: %s', async (text, message) => {
    const { status, json } = await app.ask(`/api/v1/Search?format=json&q=${encodeURIComponent(text)}`);
    expect([status, json.Message]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe('numbers with an e in them', () => {
  it.each([
    ['3e8a1f2', ['a1f2', '3e8', '8a1f2']],
    ['1e5\u01c4', ['\u01c4', '1e5']],
    ['12e34', ['12', '34', '2e34']],
  ])('%j is one word', async (word, others) => {
    const id = await story({ Name: `see ${word}`, Description: `<p>${word}, too</p>` });
    for (const q of [
      word,
      `${word.slice(0, 2)}*`,
      `${word.slice(0, 3)}*`,
      `"see ${word}"`,
      `"see ${word.slice(0, 3)}"*`,
    ]) {
      const [item] = await search(q);
      expect([q, item?.Id]).toEqual([q, id]);
      expect(shownOf(item!)[0]![1]).toMatch(/<mark>/);
    }
    for (const q of others) {
      expect([q, await idsOf(`see ${q}`)]).toEqual([q, []]);
      expect([q, await idsOf(`"see ${word}" -${q}`)]).toEqual([q, [id]]);
    }
  });
});

describe('numbers that are signs', () => {
  it.each(['½', '①', '²', 'Ⅷ', 'ⓐ', '½ ①', '"½"', '½½*', '①②* -x'])('%j is no word', async (q) => {
    const { status, json } = await app.ask(`/api/v1/Search?format=json&q=${encodeURIComponent(q)}`);
    expect([status, json.Message]).toEqual([400, expect.stringContaining('a word to look for is needed')]);
  });

  it('end a word', async () => {
    const id = await story({ Name: 'cups½ of Ⅷflour' });
    for (const [q, html] of [
      ['cups', '<mark>cups</mark>½ of Ⅷflour'],
      ['flour ½', 'cups½ of Ⅷ<mark>flour</mark>'],
      ['cups½', '<mark>cups</mark>½ of Ⅷflour'],
      ['"of Ⅷ flour"', 'cups½ <mark>of Ⅷflour</mark>'],
    ])
      expect([q, (await search(q!)).map((one) => [one.Id, shownOf(one)])]).toEqual([q, [[id, [['Name', html]]]]]);
  });
});

describe('what HTML holds beside its text', () => {
  it.each([
    ['<a title="x > zzattribute">zzseen</a> of it'],
    ["<a title='x > zzattribute'>zzseen</a> of it"],
    ['<SCRIPT src="x">zzattribute()</SCRIPT ><p>zzseen</p> of it'],
    ['<style>p > a { zzattribute }</style>zzseen of it'],
    ['zzseen<!-- zzattribute > more --> of it'],
    ['<!--[if mso]><style>zzattribute</style><![endif]-->zzseen <b>of</b> it'],
    ['<script></script>zzseen<script>zzattribute</script> of it'],
  ])('%j is no word of it', async (text) => {
    const far = `<p>${'far '.repeat(400)}</p>`;
    const ids = [
      await story({ Name: 'Written', Description: text }),
      await story({ Name: 'Written at length', Description: far + text + far }),
    ];
    expect(await idsOf('zzattribute')).toEqual([]);
    const items = (await search('zzseen it')).filter(({ Id }) => ids.includes(Id));
    expect(items.map(({ Id }) => Id).sort()).toEqual(ids);
    for (const item of items) expect(shownOf(item)[0]![1]).toMatch(/<mark>zzseen<\/mark> of <mark>it<\/mark>/);
  });

  it.each([
    'a <!-- zzunended',
    '<style>zzunended',
    '<scripted>zzunended</script>',
    '<!-->zzunended</style>',
  ])('of %j all is searched, since it does not end', async (text) => {
    const id = await story({ Name: 'Unended', Description: text });
    expect(await idsOf(`zzunended ${id}`)).toEqual([id]);
  });
});
