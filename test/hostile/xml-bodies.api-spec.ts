/** XML bodies that must be refused or survived, and what XML text means when it is stored and read again. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects, storedCounts } from '../support/demonstration.js';
import { messageOf } from '../support/refusal.js';

let app: TestApp;
let project: number;
let listener: Server;
let fetched = 0;
/** Status of every answer of this file. */
const statuses: number[] = [];

beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
  listener = createServer((_request, response) => {
    fetched += 1;
    response.end('fetched');
  });
  await new Promise<void>((resolve) => {
    listener.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(async () => {
  listener.close();
  await app.stop();
});

const outside = (): string => `http://127.0.0.1:${(listener.address() as AddressInfo).port}/x`;

const counts = () => storedCounts(app);

/** Names of tables, columns and libraries, statements, places in the source: nothing of it may be told. */
const internals =
  /general_user|\w_id\b|\b(select|insert into) |typeorm|node_modules|\.ts:|\.js:|syntax error at|\bpg_|fastify|nestjs|xml2js|\bsax\b|charkey|is not a function|buffer|RangeError|TypeError|SyntaxError|call stack|root:|\[object /i;

async function send(path: string, body: string | Buffer) {
  const answer = await app.ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(body),
  });
  statuses.push(answer.status);
  return answer;
}

const stories = '/api/v1/UserStories';
const bulk = `${stories}/bulk`;

/** Sends it, checks that it is refused in one shape and in the client's words, and that nothing at all was written. */
async function refused(body: string | Buffer, says: RegExp = /./, path = stories): Promise<string> {
  const before = await counts();
  const answer = await send(path, body);
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([400, expect.any(String)]);
  const message = await messageOf(answer, 'xml');
  expect(message).not.toMatch(internals);
  expect(message).toMatch(says);
  expect(await counts()).toEqual(before);
  return message;
}

/** A story that could be stored, were it not for what is put in. */
const story = (inner = '', attributes = '') =>
  `<UserStory${attributes && ` ${attributes}`}><Project Id="${project}"/>${inner}</UserStory>`;

describe('D1, D2, D3, D4: document types, entities and what would be fetched', () => {
  const nested = Array.from({ length: 10 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
  it.each([
    ['a billion laughs', () => `<!DOCTYPE x [<!ENTITY l0 "ha">${nested}]>${story('', 'Name="&l10;"')}`],
    [
      'quadratic blow-up',
      () =>
        `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100_000)}">]>${story(`<Description>${'&a;'.repeat(10_000)}</Description>`)}`,
    ],
    [
      'a file',
      () =>
        `<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${story('<Description>&f;</Description>', 'Name="x"')}`,
    ],
    [
      'an address',
      () => `<!DOCTYPE x [<!ENTITY f SYSTEM "${outside()}">]>${story('<Description>&f;</Description>', 'Name="x"')}`,
    ],
    ['a parameter entity', () => `<!DOCTYPE x [<!ENTITY % p SYSTEM "${outside()}"> %p;]>${story('', 'Name="x"')}`],
    ['an external subset', () => `<!DOCTYPE UserStory SYSTEM "${outside()}">${story('', 'Name="x"')}`],
    ['a public one', () => `<!DOCTYPE UserStory PUBLIC "-//X" "${outside()}">${story('', 'Name="x"')}`],
    ['behind a declaration', () => `<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE x>${story('', 'Name="x"')}`],
    ['in lower case', () => `<!doctype x>${story('', 'Name="x"')}`],
    ['inside the root', () => story('<!DOCTYPE x [<!ENTITY a "b">]>', 'Name="x"')],
    ['an entity alone', () => `<!ENTITY a "b">${story('', 'Name="x"')}`],
    ['an element declared', () => story('<!ELEMENT a ANY>', 'Name="x"')],
    ['a conditional section', () => story('<![INCLUDE[<!ENTITY a "b">]]>', 'Name="x"')],
  ])('%s', async (_, body) => void (await refused(body(), /document type \(DOCTYPE, ENTITY\) is not allowed/)));

  it.each([
    ['an entity nobody declared', () => story('', 'Name="&xxe;"')],
    ['one of HTML', () => story('<Description>&nbsp;</Description>', 'Name="x"')],
    ['one of a prototype', () => story('<Description>&__proto__;</Description>', 'Name="x"')],
    ['one of every object', () => story('<Description>&constructor;</Description>', 'Name="x"')],
    ['a method', () => story('', 'Name="&toString;"')],
    [
      'an inclusion',
      () => story(`<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="${outside()}"/>`, 'Name="x"'),
    ],
    ['a style sheet', () => `<?xml-stylesheet href="${outside()}"?>${story('', 'Name="x"')}`],
    ['an instruction', () => story('<?php system("id") ?>', 'Name="x"')],
    ['a late declaration', () => ` <?xml version="1.0"?>${story('', 'Name="x"')}`],
    ['two declarations', () => `<?xml version="1.0"?><?xml version="1.0"?>${story('', 'Name="x"')}`],
  ])('%s', async (_, body) => void (await refused(body())));

  it('a schema is no member', async () => {
    const schema = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
    const body = story('', `Name="x" ${schema} xsi:schemaLocation="a ${outside()}"`);
    expect((await send(stories, body)).status).toBe(201);
  });

  it('nothing of it was fetched', () => expect(fetched).toBe(0));
});

describe('D5: what is too deep, too long, too many', () => {
  it.each([
    ['elements', () => '<UserStory>'.repeat(100_000), /deeper than 20/],
    ['closed elements', () => `${'<a>'.repeat(50_000)}${'</a>'.repeat(50_000)}`, /deeper than 20/],
    [
      'attributes',
      () => `<UserStory ${Array.from({ length: 100_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`,
      /more than 1000 attributes/,
    ],
    ['siblings', () => story('<a/>'.repeat(1_000_000)), /more than 200000 elements/],
    ['fields', () => story(Array.from({ length: 50_000 }, (_, n) => `<a${n}/>`).join('')), /^a0: /],
    ['tasks', () => story(`<Tasks>${'<Task Name="t"/>'.repeat(1001)}</Tasks>`, 'Name="x"'), /^Tasks: .*1000/],
  ])('%s', async (_, body, says) => void (await refused(body(), says)));

  it('entities of a list', async () => {
    await refused(`<UserStories>${'<UserStory/>'.repeat(1001)}</UserStories>`, /1001 entities; at most 1000/, bulk);
    await refused(`<UserStories>${'<UserStory/>'.repeat(100_000)}</UserStories>`, /at most 1000/, bulk);
  });

  it.each([
    ['an attribute', () => story('', `Name="${'x'.repeat(4_000_000)}"`), /^Name: at most 1048576/],
    ['a text', () => story(`<Description>${'x'.repeat(4_000_000)}</Description>`, 'Name="x"'), /^Description: at most/],
    [
      'CDATA',
      () => story(`<Description><![CDATA[${'x'.repeat(4_000_000)}]]></Description>`, 'Name="x"'),
      /^Description: at most/,
    ],
    [
      'references',
      () => story(`<Description>${'&#120;'.repeat(1_200_000)}</Description>`, 'Name="x"'),
      /^Description: at most/,
    ],
    ['spaces', () => ' '.repeat(9_000_000), /empty/],
    ['spaces in a tag', () => `<UserStory${' '.repeat(4_000_000)}/>`, /^Name: /],
    ['comments', () => story('<!-- x -->'.repeat(400_000)), /^Name: /],
    ['one comment', () => story(`<!--${'x'.repeat(4_000_000)}-->`), /^Name: /],
    ['a comment that does not end', () => story(`<!--${'-x'.repeat(2_000_000)}`), /comment does not end/],
    [
      'CDATA that does not end',
      () => story(`<Description><![CDATA[${']'.repeat(1_000_000)}`),
      /CDATA section does not end/,
    ],
    ['an attribute that does not end', () => `<UserStory Name="${'x'.repeat(1_000_000)}`, /attribute does not end/],
    ['a tag that does not end', () => `<UserStory ${' '.repeat(4_000_000)}`, /tag does not end/],
    ['attributes without value', () => `<UserStory ${'a '.repeat(2_000_000)}`, /tag is not well formed/],
    ['the name of the root', () => `<${'a'.repeat(1_000_000)}/>`, /root element/],
    ['the name of a field', () => story(`<${'a'.repeat(1_000_000)}/>`), /no such field/],
    ['the name of an attribute', () => story('', `${'a'.repeat(1_000_000)}="1"`), /no such field/],
    ['the name of a namespace', () => story(`<${'a'.repeat(1_000_000)}:b/>`), /namespace/],
    ['the digits of a reference', () => story(`<Description>&#${'0'.repeat(4_000_000)}65;</Description>`), /./],
    ['the name of an entity', () => story(`<Description>&${'a'.repeat(4_000_000)};</Description>`), /./],
    ['the encoding', () => `<?xml version="1.0" encoding="${'a'.repeat(4_000_000)}"?>${story()}`, /./],
  ])('megabytes of %s are refused in few words', async (_, body, says) => void (await refused(body(), says)));

  /** A step that is more than linear would keep these busy for longer than a test may take. */
  it.each([
    ['siblings', (n: number) => story('<a/>'.repeat(n / 4))],
    ['comments', (n: number) => story('<!---->'.repeat(n / 7))],
    ['CDATA', (n: number) => story(`<Description>${'<![CDATA[]]]]>'.repeat(n / 14)}</Description>`)],
    ['references', (n: number) => story(`<Description>${'&lt;'.repeat(n / 4)}</Description>`)],
    ['open angles in quotes', (n: number) => story('', `x="${'&#60;'.repeat(n / 5)}"`)],
    ['spaces around', (n: number) => `${' '.repeat(n)}${story()}`],
    ['fields', (n: number) => story(Array.from({ length: n / 10 }, (_, at) => `<a${at}/>`).join(''))],
    ['text between fields', (n: number) => story('<a/> '.repeat(n / 5))],
  ])('half a megabyte of %s is refused', async (_, body) => {
    expect((await send(stories, body(500_000))).status).toBe(400);
  });
});

describe('D6: names', () => {
  it.each([
    ['__proto__', () => story('<__proto__>1</__proto__>', 'Name="x"')],
    ['__proto__', () => story('<__proto__ Id="1"/>', 'Name="x"')],
    ['__proto__', () => story('<__proto__><IsAdministrator>true</IsAdministrator></__proto__>', 'Name="x"')],
    ['__proto__', () => story('', 'Name="x" __proto__="y"')],
    ['constructor', () => story('<constructor/>', 'Name="x"')],
    ['constructor', () => story('', 'Name="x" constructor="y"')],
    ['prototype', () => story('<prototype/>', 'Name="x"')],
    ['toString', () => story('<toString/>', 'Name="x"')],
    ['hasOwnProperty', () => story('<hasOwnProperty>1</hasOwnProperty>', 'Name="x"')],
    ['Feature', () => story('<Feature><__proto__><Id>1</Id></__proto__></Feature>', 'Name="x"')],
    [
      'Tasks[1].__proto__',
      () => story('<Tasks><Task Name="a"/><Task Name="b"><__proto__/></Task></Tasks>', 'Name="x"'),
    ],
    ['IsAdministrator', () => story('<IsAdministrator>true</IsAdministrator>', 'Name="x"')],
    ['PasswordHash', () => story('', 'Name="x" PasswordHash="y"')],
    ['_', () => story('<_>x</_>', 'Name="x"')],
    ['__text__', () => story('<__text__>x</__text__>', 'Name="x"')],
    ['cdata', () => story('<cdata>x</cdata>', 'Name="x"')],
    ['hasOwnProperty', () => story('', 'hasOwnProperty="y" Name="x"')],
    ['x:Name', () => story('', 'x:Name="x"')],
  ])('%s row %#', async (name, body) => {
    const message = await refused(body());
    expect(message.startsWith(`${name}: `)).toBe(true);
    expect(({} as Record<string, unknown>).IsAdministrator).toBeUndefined();
  });

  it.each([
    ['an attribute and an element', () => story('<Name>b</Name>', 'Name="a"'), /^Name: the member is given twice/],
    ['two elements', () => story('<Name>a</Name><Name>b</Name>'), /^Name: the member is given twice/],
    [
      'two elements in other letter case',
      () => story('<Name>a</Name><NAME>b</NAME>'),
      /^NAME: the member is given twice/,
    ],
    ['two attributes', () => story('', 'Name="a" Name="b"'), /Name.*twice|attribute/i],
    ['two attributes in other letter case', () => story('', 'Name="a" name="b"'), /^name: the member is given twice/],
    ['two of a reference', () => story('<Feature Id="1" Id="2"/>', 'Name="a"'), /Id.*twice|attribute/i],
    [
      'an attribute and an element of a reference',
      () => story('<Feature Id="1"><Id>2</Id></Feature>', 'Name="a"'),
      /^Feature\.Id: the member is given twice/,
    ],
  ])('D8: %s of one name', async (_, body, says) => void (await refused(body(), says)));

  it.each([
    ['another kind', '<Bug Name="x"/>', stories],
    ['no kind', '<a/>', stories],
    ['a prototype', '<__proto__/>', stories],
    ['a list', '<UserStories><UserStory Name="x"/></UserStories>', stories],
    ['one entity', '<UserStory Name="x"/>', bulk],
    ['a list of another kind', '<Bugs><Bug Name="x"/></Bugs>', bulk],
    ['a list with another kind in it', '<UserStories><UserStory Name="x"/><Bug Name="x"/></UserStories>', bulk],
    ['an empty list', '<UserStories/>', bulk],
    ['a prefix nobody declared', '<x:UserStory Name="x"/>', stories],
    ['a text', '<UserStory>hello</UserStory>', stories],
  ])('D9: of the root: %s', async (_, body, path) => void (await refused(body, /XML|list|(is|are) expected\.$/, path)));

  it('D9: in any letter case, and of whatever namespace, are taken', async () => {
    for (const body of [
      `<userstory name="x"><PROJECT id="${project}"/></userstory>`,
      `<UserStory xmlns="urn:anything" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" Name="x"><Project Id="${project}"/></UserStory>`,
      `<x:UserStory xmlns:x="urn:x" Name="x"><Project Id="${project}"/></x:UserStory>`,
      `\ufeff<?xml version="1.0" encoding="UTF-8"?>\n<!-- x -->\n${story('', 'Name="x"')}\n<!-- y -->\n`,
    ]) {
      expect((await send(stories, body)).status).toBe(201);
    }
  });

  it('of an item of a list are told with its place', async () => {
    const list = Array.from({ length: 120 }, (_, n) => story(n === 117 ? '<Nmae>x</Nmae>' : '', `Name="s${n}"`));
    await refused(`<UserStories>${list.join('')}</UserStories>`, /^\[117\]\.Nmae: .*Did you mean 'Name'/, bulk);
    list[117] = story('<Tasks><Task Name="a"/><Task/></Tasks>', 'Name="s"');
    await refused(`<UserStories>${list.join('')}</UserStories>`, /^\[117\]\.Tasks\[1\]/, bulk);
  });
});

describe('D7: encodings and characters', () => {
  it.each([
    ['UTF-7', '<?xml version="1.0" encoding="utf-7"?><UserStory Name="+ADw-"/>'],
    ['UTF-16', Buffer.from('\ufeff<UserStory Name="x"/>', 'utf16le')],
    ['UTF-16 without mark', Buffer.from('<UserStory Name="x"/>', 'utf16le')],
    ['UTF-16 by name and in bytes', Buffer.from('<?xml version="1.0" encoding="utf-16"?><UserStory/>', 'utf16le')],
    ['no UTF-8 by the name of UTF-16', Buffer.from('<?xml version="1.0" encoding="utf-16"?><a b="\xe9"/>', 'latin1')],
    ['Latin-2', Buffer.from('<?xml version="1.0" encoding="iso-8859-2"?><UserStory Name="\xe9"/>', 'latin1')],
    ['bytes that are no UTF-8', Buffer.from('<UserStory Name="\xe9"/>', 'latin1')],
    [
      'a surrogate in UTF-8',
      Buffer.concat([Buffer.from('<UserStory Name="'), Buffer.from('eda080', 'hex'), Buffer.from('"/>')]),
    ],
    ['version 1.1', '<?xml version="1.1"?><UserStory Name="&#8;"/>'],
    ['no version', '<?xml encoding="utf-8"?><UserStory Name="x"/>'],
    ['a control character', '<UserStory Name="a\u0001b"/>'],
    ['NUL', '<UserStory Name="a\u0000b"/>'],
    ['U+FFFE', '<UserStory Name="a\ufffeb"/>'],
    ['U+FFFF', '<UserStory><Description>a\uffffb</Description></UserStory>'],
    ...[
      '0',
      '8',
      'x1',
      'xB',
      'x1F',
      'xFFFE',
      'xFFFF',
      'xD800',
      'xDFFF',
      'x110000',
      'xFFFFFFFF',
      '00000000000',
      '00000000001',
      'x00000000000D800',
      'xFFFFFFFFFFFFFFFF',
      '',
      'x',
      '-1',
      '1.5',
      'xG',
    ].map((code): [string, string] => [`&#${code};`, `<UserStory Name="a&#${code};b"/>`]),
    ['half pairs', '<UserStory Name="&#xD83D;&#xDE00;"/>'],
    ['in a comment', '<UserStory Name="x"><!-- \u0001 --></UserStory>'],
    ['in CDATA', '<UserStory Name="x"><Description><![CDATA[\u0001]]></Description></UserStory>'],
  ])('%s', async (_, body) => void (await refused(body, /XML|UTF-8/)));
});

describe('C2, D12: what is not well-formed', () => {
  it.each([
    [''],
    [' '],
    ['x'],
    ['{"Name":"x"}'],
    ['<'],
    ['>'],
    ['<>'],
    ['</>'],
    ['</UserStory>'],
    ['<UserStory'],
    ['<UserStory Name="x"'],
    ['<UserStory Name="x">'],
    ['<UserStory Name="x></UserStory>'],
    ['<UserStory Name=x/>'],
    ['<UserStory Name/>'],
    ['<UserStory Name="x"Description="y"/>'],
    ['<UserStory =""/>'],
    ['<UserStory ="x"/>'],
    ['<UserStory><Name>a</UserStory>'],
    ['<UserStory><Name>a</UserStory></Name>'],
    ['<UserStory><Name>a</name></UserStory>'],
    ['<UserStory Name="a"/><UserStory Name="b"/>'],
    ['<UserStory Name="a"/></UserStory>'],
    ['<UserStory Name="a"/>x'],
    ['x<UserStory Name="a"/>'],
    ['<UserStory Name="a & b"/>'],
    ['<UserStory Name="a &amp b"/>'],
    ['<UserStory Name="a < b"/>'],
    ['<UserStory Name="x"><Description>a ]]> b</Description></UserStory>'],
    ['<UserStory Name="x">< Description/></UserStory>'],
    ['<UserStory Name="x"><!-- a -- b --></UserStory>'],
    ['<UserStory Name="x"><!></UserStory>'],
    ['<UserStory Name="x"><![CDATA[</UserStory>'],
    ['<1 Name="x"/>'],
    ['<-a/>'],
    ['<UserStory><Feature><Id>1</Feature></Id></UserStory>'],
    ['<?xml version="1.0"'],
    ['<?xml version="1.0"?>'],
    ['<![CDATA[<UserStory/>]]>'],
    ['<!-- only -->'],
  ])('%s', async (body) => void (await refused(body, /well-formed XML/)));
});

describe('D11: nothing, and what is no value', () => {
  it.each([
    ['<Description nil="true">x</Description>', /^Description: /],
    ['<Description nil="true"><a/></Description>', /^Description: /],
    ['<Description nil="maybe"/>', /^Description: nil/],
    ['<Description xsi:nil="yes"/>', /^Description: nil/],
    ['<Description><b>x</b></Description>', /^Description: /],
    ['<Description>a<b>c</b>d</Description>', /^Description: /],
    ['<Description lang="en">c</Description>', /^Description: /],
    ['<Feature>5</Feature>', /^Feature: /],
    ['<Feature Name="x"/>', /^Feature: /],
    ['<Feature Id="x"/>', /^Feature\.Id: /],
    ['<Feature Id="-1"/>', /^Feature\.Id: /],
    ['<Feature Id="1">text</Feature>', /^Feature: /],
    ['<Feature><Id nil="true">1</Id></Feature>', /^Feature\.Id: /],
    ['<Tasks>text</Tasks>', /^Tasks: /],
    ['<Tasks><Task Name="a"/>text</Tasks>', /^Tasks: /],
    ['<Tasks><Task Name="a"/><Bug Name="b"/></Tasks>', /^Tasks/],
    ['<Tasks><Bug Name="b"/></Tasks>', /^Tasks/],
    ['<Tasks Nope="1"><Task Name="a"/></Tasks>', /^Tasks/],
    ['<Tasks><Task Name="a"/><Task/></Tasks>', /^Tasks\[1\]/],
    ['<CustomFields>text</CustomFields>', /^CustomFields: /],
    ['<CustomFields><Field/></CustomFields>', /^CustomFields/],
    ['<CustomFields><Field><Name>Nope</Name><Value>1</Value></Field></CustomFields>', /^CustomFields\[0\]\.Name: /],
    [
      '<CustomFields><Field><Name>Notes</Name><Value>1</Value></Field><Field><Name>Risk</Name><Value>Extreme</Value></Field></CustomFields>',
      /^CustomFields\[1\]\.Value: /,
    ],
    [
      '<CustomFields><Field><Name>Notes</Name><Name>Risk</Name><Value>1</Value></Field></CustomFields>',
      /^CustomFields.*twice/,
    ],
    ['<CustomFields><Risk>High</Risk></CustomFields>', /^CustomFields/],
    ['<Tags><a/></Tags>', /^Tags: /],
    ['<Tags>a</Tags><TagObjects><Tag Name="never"/></TagObjects>', /Tags and TagObjects/],
    ['<NumericPriority>x</NumericPriority>', /^NumericPriority: /],
    ['<StartDate>2023-02-30</StartDate>', /^StartDate: /],
    ['<Effort>-1</Effort>', /^Effort: /],
    // Text beside the fields would be lost.
    ['text', /text/],
    ['<![CDATA[text]]>', /text/],
  ])('%s', async (inner, says) => {
    await refused(story(inner, 'Name="x"'), says);
    await refused(`<UserStories>${story('', 'Name="x"')}${story(inner, 'Name="x"')}</UserStories>`, /\[1\]|text/, bulk);
  });

  it.each([
    '<Name nil="true"/>',
    '<Name/>',
    '<Name></Name>',
    '<Name>  </Name>',
    '<Name xsi:nil="1"/>',
    '',
  ])('no name: %s', async (inner) => void (await refused(story(inner), /^Name: a value is required/)));

  it.each([
    '<Project nil="true"/>',
    '<Project/>',
    '<Project nil="true" Id="8"/>',
    '<Project Id=""/>',
    '<Project><Id nil="true"/></Project>',
  ])('no project: %s', async (inner) => void (await refused(`<UserStory Name="x">${inner}</UserStory>`, /^Project/)));

  it('text and unknown attributes among the entities of a list', async () => {
    const one = story('', 'Name="x"');
    await refused(`<UserStories>${one}text${one}</UserStories>`, /text/, bulk);
    await refused(`<UserStories Nope="1">${one}${one}</UserStories>`, /Nope/, bulk);
  });

  it('nil clears, in each spelling', async () => {
    const made = await app.post(`${stories}?format=json`, { Name: 'x', Project: { Id: project }, Description: 'd' });
    for (const nil of ['nil="true"', 'xsi:nil="1"', 'i:nil="true"', 'nil=" TRUE "']) {
      await app.post(`${stories}/${made.json.Id}`, { Description: 'd' });
      const answer = await send(
        `${stories}/${made.json.Id}?format=json`,
        `<UserStory><Description ${nil}/></UserStory>`,
      );
      expect([answer.status, answer.json.Description]).toEqual([200, null]);
    }
  });

  it('D15: a type is told by the address, an Id must agree with it', async () => {
    const made = await send(`${stories}?format=json`, story('', 'Name="x" ResourceType="Bug"'));
    expect([made.status, made.json.ResourceType]).toEqual([201, 'UserStory']);
    const { Id } = made.json;
    await refused(`<UserStory Id="${Id + 1}" Name="y"/>`, /^Id: /, `${stories}/${Id}`);
    await refused(`<UserStory Id="x" Name="y"/>`, /^Id: /, `${stories}/${Id}`);
    await refused(`<UserStory Id="${Id}"><Id>${Id + 1}</Id></UserStory>`, /^Id: /, `${stories}/${Id}`);
  });
});

describe('D10: text means what XML says it means', () => {
  it.each([
    ['CDATA', '<![CDATA[<p>a & b</p>]]>', '<p>a & b</p>'],
    ['CDATA in two, for its own end', '<![CDATA[a]]]]><![CDATA[>b]]>', 'a]]>b'],
    ['CDATA between text', 'a<![CDATA[ < ]]>b', 'a < b'],
    ['empty CDATA', '<![CDATA[]]>', ''],
    ['a comment within', 'a<!-- - -->b', 'ab'],
    ['entities', '&lt;&#60;&#x3c;&#x3C;&amp;&gt;&quot;&apos;', '<<<<&>"\''],
    ['an escaped entity', '&amp;lt;&amp;#60;', '&lt;&#60;'],
    ['line ends', 'a\r\nb\rc\nd', 'a\nb\nc\nd'],
    ['escaped line ends', 'a&#13;&#10;b&#xD;c&#xA;d&#9;e', 'a\r\nb\rc\nd\te'],
    ['spaces around', '  a  ', '  a  '],
    ['spaces only', '   ', '   '],
    ['line breaks only', '\n\t\n', '\n\t\n'],
    ['no-break and wide spaces only', '\u00a0\u3000&#160;', '\u00a0\u3000\u00a0'],
    ['spaces in CDATA', '<![CDATA[  ]]>', '  '],
    ['nothing', '', ''],
    ['emoji by number', '&#x1F600;&#128512;', '\u{1f600}\u{1f600}'],
    [
      'the far end of Unicode',
      '\u{10fffd}&#x10FFFD;\ue000\ufffd\u0085\u2028',
      '\u{10fffd}\u{10fffd}\ue000\ufffd\u0085\u2028',
    ],
    ['right to left and combining marks', '\u05e9\u05dc\u202e e\u0301 \u00e9', '\u05e9\u05dc\u202e e\u0301 \u00e9'],
    ['angles to the right', 'a > b >> c', 'a > b >> c'],
    ['what looks like a null', 'null', 'null'],
  ])('%s', async (_, text, meant) => {
    const made = await send(`${stories}?format=json`, story(`<Description>${text}</Description>`, 'Name="x"'));
    expect([made.status, made.json?.Description]).toEqual([201, meant]);
    const { Id } = made.json;
    expect((await app.json(`${stories}/${Id}`)).Description).toBe(meant);
    const notes = `<CustomFields><Field><Name>Notes</Name><Value>${text}</Value></Field></CustomFields>`;
    const field = await send(`${stories}/${Id}?format=json`, `<UserStory>${notes}</UserStory>`);
    const value = field.json.CustomFields.find(({ Name }: { Name: string }) => Name === 'Notes').Value;
    expect([field.status, value]).toEqual([200, meant]);
    // What is read in XML and sent back is the same.
    const read = await app.xml(`${stories}/${Id}`);
    const again = await send(`${stories}/${Id}`, read);
    expect([again.status, again.text]).toEqual([200, read]);
    expect((await app.json(`${stories}/${Id}`)).Description).toBe(meant);
  });

  it.each([
    ['entities', 'a &lt;b&gt; &amp; &quot;c&quot; &apos;d&apos;', 'a <b> & "c" \'d\''],
    ['escaped white space', 'a&#10;b&#9;c&#13;d', 'a\nb\tc\rd'],
    ['the other quote', "it's > that", "it's > that"],
    ['plain white space is a space each', 'a\nb\tc\r\nd', 'a b c d'],
    ['spaces around', '  a  ', '  a  '],
    ['emoji', '\u{1f468}\u200d\u{1f469} &#x1F600;', '\u{1f468}\u200d\u{1f469} \u{1f600}'],
  ])('in an attribute: %s', async (_, text, meant) => {
    const made = await send(`${stories}?format=json`, story('', `Name="${text}" Description="${text}"`));
    expect([made.status, made.json.Name, made.json.Description]).toEqual([201, meant, meant]);
    const read = await app.xml(`${stories}/${made.json.Id}`);
    const again = await send(`${stories}/${made.json.Id}?format=json`, read);
    expect([again.status, again.json.Name, again.json.Description]).toEqual([200, meant, meant]);
  });

  it('long texts come back whole', async () => {
    const text = 'a\u00e4\u{1f600}<&\n'.repeat(20_000);
    const escaped = text.replace(/&/g, '&amp;').replace(/</g, '&lt;');
    for (const body of [
      story(`<Description>${escaped}</Description>`, 'Name="x"'),
      story('', `Name="x" Description="${escaped.replace(/\n/g, '&#10;')}"`),
      story(`<Description><![CDATA[${text}]]></Description>`, 'Name="x"'),
    ]) {
      const made = await send(`${stories}?format=json`, body);
      expect([made.status, made.json.Description === text]).toEqual([201, true]);
    }
  });
});

describe('after all this', () => {
  it('nothing was answered with a fault, and the service is alive', async () => {
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    expect((await app.ask('/health/live', { as: 'nobody' })).status).toBe(200);
    expect((await app.json('/api/v1/UserStories?take=1')).Items).toHaveLength(1);
  });
});
