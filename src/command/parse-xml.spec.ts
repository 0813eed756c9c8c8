import { describe, expect, it } from 'vitest';
import { atOnce } from '../turns/slices.js';
import { parseJson } from './parse-json.js';
import { parseXml } from './parse-xml.js';
import type { Body, PayloadValue } from './payload.js';

const names = { entity: 'UserStory', collection: 'UserStories', others: ['General', 'Assignable'] };
const parse = (text: string) => atOnce(parseXml(Buffer.from(text), names));

const schema = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xsd="http://www.w3.org/2001/XMLSchema"';

/** The same entity in JSON and XML differs only in how numbers and booleans are told. */
function asText(value: PayloadValue): unknown {
  switch (value.kind) {
    case 'null':
      return null;
    case 'boolean':
      return String(value.value);
    case 'object':
      return value.object.members.map((member) => [member.name, asText(member.value)]);
    case 'list':
      return { items: value.items.map(asText) };
    default:
      return value.text;
  }
}

const plain = (body: Body): unknown =>
  body.kind === 'one'
    ? asText({ kind: 'object', object: body.entity })
    : body.entities.map((entity) => asText({ kind: 'object', object: entity }));

describe('tells what JSON tells', () => {
  it.each([
    ['<UserStory/>', '{}'],
    ['<userstory Name="a"/>', '{"Name":"a"}'],
    [
      '<UserStory Name="a"><Effort>3.5</Effort><Release nil="true"/></UserStory>',
      '{"Name":"a","Effort":3.5,"Release":null}',
    ],
    ['<UserStory><Project Id="7"/></UserStory>', '{"Project":{"Id":7}}'],
    ['<UserStory><Project><Id>7</Id></Project></UserStory>', '{"Project":{"Id":7}}'],
    ['<Assignable><Name>a &lt;b&gt; &amp; &#233;&#x1F600;</Name></Assignable>', '{"Name":"a <b> & é😀"}'],
    ['<UserStory><Name><![CDATA[a <b>]]> c</Name></UserStory>', '{"Name":"a <b> c"}'],
    ['<UserStory><Name>a<!-- not this -->b</Name></UserStory>', '{"Name":"ab"}'],
    ['<UserStory><Description>a\r\nb</Description></UserStory>', '{"Description":"a\\nb"}'],
    [
      '<UserStory>\n  <Tasks>\n    <Task Name="a"/>\n    <Task Name="b"/>\n  </Tasks>\n</UserStory>',
      '{"Tasks":[{"Name":"a"},{"Name":"b"}]}',
    ],
    [
      '<?xml version="1.0" encoding="utf-8"?>\n<UserStory xmlns:xsi="x"><Release xsi:nil="true"/></UserStory>\n',
      '{"Release":null}',
    ],
    [
      '<UserStory Name="x"><EndDate nil="false">2026-01-01</EndDate></UserStory>',
      '{"Name":"x","EndDate":"2026-01-01"}',
    ],
    ['<UserStories><UserStory Id="1"/><UserStory Name="b"/></UserStories>', '[{"Id":1},{"Name":"b"}]'],
    ['<UserStories/>', '[]'],
    [
      `<UserStory ${schema} xsi:type="UserStory" xml:lang="en" xsi:schemaLocation="a b" Name="a"><Project
        xsi:type="Project" Id="7"/><Tags xsi:type="xsd:string">x</Tags></UserStory>`,
      '{"Name":"a","Project":{"Id":7},"Tags":"x"}',
    ],
    ['<UserStory><Description xml:space="preserve"> a </Description></UserStory>', '{"Description":" a "}'],
    [
      '<UserStory><Tasks p:type="x"><Task p:type="y" Name="a"/><Task xml:id="z" Name="b"/></Tasks></UserStory>',
      '{"Tasks":[{"Name":"a"},{"Name":"b"}]}',
    ],
    [
      `<UserStories ${schema} xsi:noNamespaceSchemaLocation="x"><UserStory xsi:type="UserStory" Id="1"/></UserStories>`,
      '[{"Id":1}]',
    ],
    ['<UserStory Type="a"><Field type="b"/></UserStory>', '{"Type":"a","Field":{"type":"b"}}'],
    ['<UserStory p:Name="a"/>', '{"p:Name":"a"}'],
    ['<UserStory><__proto__>x</__proto__></UserStory>', '{"__proto__":"x"}'],
  ])('%s', (xml, json) => expect(plain(parse(xml))).toEqual(plain(atOnce(parseJson(Buffer.from(json))))));
});

it.each([
  ['', 'it is empty'],
  ['   ', 'it is empty'],
  ['x<UserStory/>', 'text outside its root element'],
  ['x', 'text outside its root element'],
  ['<Bug/>', "The root element is 'Bug'; 'UserStory' is expected, or 'UserStories' for a list."],
  ['<ArrayOfUserStory/>', "'UserStory' is expected, or 'UserStories' for a list."],
  ['<UserStories><Bug/></UserStories>', "'Bug' stands among 'UserStories'"],
  ['<UserStory', 'a tag does not end'],
  ['<UserStory>', 'does not end'],
  ['<UserStory/><UserStory/>', 'more than one root element'],
  ['<UserStory/>x', 'text outside its root element'],
  ['<UserStory><Name>a</Nam></UserStory>', 'XML'],
  ['<!DOCTYPE lolz [<!ENTITY lol "lol">]><UserStory/>', 'a document type (DOCTYPE, ENTITY) is not allowed'],
  ['<UserStory><!ENTITY x "y"></UserStory>', 'is not allowed'],
  ['<?xml-stylesheet href="x"?><UserStory/>', 'a processing instruction is not allowed'],
  ['<?xml version="1.1"?><UserStory/>', 'version 1.0 is expected'],
  ['<?xml version="1.0" encoding="utf-7"?><UserStory/>', 'UTF-8, ISO-8859-1 or windows-1252 is expected'],
  ['<UserStory><Name>&xxe;</Name></UserStory>', 'stands for none of the five characters'],
  ['<UserStory><Name>&#0;</Name></UserStory>', 'a character that XML cannot carry'],
  ['<UserStory><Name>&#xD800;</Name></UserStory>', 'a character that XML cannot carry'],
  ['<UserStory><Name>\u0008</Name></UserStory>', 'a character that XML cannot carry'],
  ['<UserStory Name="a"><name>b</name></UserStory>', 'name: the member is given twice'],
  ['<UserStory><Name>a</Name><Effort>1</Effort><Name>b</Name></UserStory>', 'Name: the member is given twice'],
  ['<UserStory><Name nil="true">a</Name></UserStory>', 'Name: it is nil and has content'],
  ['<UserStory><Name nil="maybe"/></UserStory>', "Name: nil is 'true' or 'false'"],
  ['<UserStory><Project>a<Id>1</Id></Project></UserStory>', 'Project: text and elements are mixed'],
  ['<UserStory><Project Id="1">a</Project></UserStory>', 'Project: text and attributes are mixed'],
  ['<UserStory><x:Name>a</x:Name></UserStory>', "the prefix of 'x:Name' is bound to no namespace"],
  ['<a>'.repeat(100_000), 'nested deeper than 20 levels'],
  [
    `<UserStory ${Array.from({ length: 2000 }, (_, index) => `a${index}="1"`).join(' ')}/>`,
    'more than 1000 attributes',
  ],
  [`<UserStory>${'<a/>'.repeat(200_001)}</UserStory>`, 'more than 200000 elements'],
  ['<!-- never ends', 'a comment does not end'],
  // Longer ones were put together again for each part that came of them.
  ...[
    `a&#${'0'.repeat(99)}65;`,
    `&#x${'0'.repeat(1_000_000)}41;`,
    `&${'a'.repeat(1_000_000)};`,
    `&#${'0'.repeat(200)}`,
  ].flatMap((text): [string, string][] => {
    const meaning = text.includes('#') ? 'it refers to a character that XML cannot carry' : "'&' stands for none";
    return [
      [`<UserStory><Name>${text}</Name></UserStory>`, meaning],
      [`<UserStory Name="${text}"/>`, meaning],
    ];
  }),
])('refuses %#', (text, message) => expect(() => parse(text)).toThrow(message));

describe('where one and many are called alike', () => {
  const alike = (text: string) => atOnce(parseXml(Buffer.from(text), { entity: 'Settings', collection: 'Settings' }));

  it.each([
    ['<Settings Name="a"/>', { Name: 'a' }],
    ['<Settings><Name>a</Name></Settings>', { Name: 'a' }],
  ])('%s is one', (xml, json) =>
    expect(plain(alike(xml))).toEqual(plain(atOnce(parseJson(Buffer.from(JSON.stringify(json)))))));

  it('a list holds what is called as it is', () =>
    expect(plain(alike('<Settings><Settings Name="a"/></Settings>'))).toEqual([[['Name', 'a']]]));
});
