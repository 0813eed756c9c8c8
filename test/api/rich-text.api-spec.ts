/**
 * Rich text is data to the API: what was sent is what is stored and what is answered, byte for byte, whatever it holds.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';
import { itemOf, parseXml } from '../support/xml.js';

let app: TestApp;
let project: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
});
afterAll(() => app.stop());

const texts: [string, string][] = [
  ['HTML with line breaks behind blocks', '<div>x</div>\r\n<p>y &amp; z&nbsp;</p>\r\n'],
  [
    'HTML with scripts',
    '<script>alert("1")</script><img src=x onerror=\'alert(1)\'><a href="javascript:alert(1)">a</a>',
  ],
  ['HTML that is not well formed', '<b><i>a</b></i></div><p title="<'],
  ['Markdown with its mark', '<!--markdown-->\r\n# a\r\n\r\n* b `<c>`\r\n\td & \\*e\\*  \r\n'],
  ['spaces and line breaks of all kinds at both ends', ' \t\r\n\n\r a \r\r\n\n\t '],
  ['what JSON and XML have to spell otherwise', '"\\/\u2028\u2029]]>&lt;&#13;\'{}[]:,'],
  ['letters from everywhere', 'naïve 日本語 👩‍💻 العربية \ufeff\u00a0\u202e'],
];

/** As a careful client writes it: what a parser would normalise is spelled as a reference. */
const asXml = (text: string): string => text.replace(/[&<>"\r\n\t]/g, (letter) => `&#${letter.charCodeAt(0)};`);

async function expectAnswered(path: string, text: string): Promise<void> {
  expect((await app.json(path)).Description).toBe(text);
  expect(itemOf(await parseXml(await app.xml(path))).Description).toBe(text);
}

describe.each(texts)('%s', (_, text) => {
  it('stays a Description', async () => {
    const story = { Name: 'Rich', Project: { Id: project }, Description: text };
    const created = await app.post('/api/v1/UserStories?format=json', story);
    expect([created.status, created.json.Description]).toEqual([201, text]);
    expect(created.headers.get('x-content-type-options')).toBe('nosniff');
    const [row] = await app.rows('select description from general where id = $1', [created.json.Id]);
    expect(row.description).toBe(text);
    await expectAnswered(`/api/v1/UserStories/${created.json.Id}`, text);
    await expectAnswered(`/api/v1/Generals/${created.json.Id}`, text);
  });

  it('stays a Description that came as XML', async () => {
    const body = `<Bug Name="Rich"><Project Id="${project}"/><Description>${asXml(text)}</Description></Bug>`;
    const created = await app.post('/api/v1/Bugs?format=json', body);
    expect([created.status, created.json.Description]).toEqual([201, text]);
    await expectAnswered(`/api/v1/Bugs/${created.json.Id}`, text);
  });

  it('stays a Comment, also when it is changed', async () => {
    const created = await app.post('/api/v1/Comments?format=json', { General: { Id: project }, Description: text });
    expect([created.status, created.json.Description]).toEqual([201, text]);
    await expectAnswered(`/api/v1/Comments/${created.json.Id}`, text);
    const changed = await app.post(`/api/v1/Comments/${created.json.Id}?format=json`, { Description: `${text}!` });
    expect([changed.status, changed.json.Description]).toEqual([200, `${text}!`]);
    await expectAnswered(`/api/v1/Comments/${created.json.Id}`, `${text}!`);
  });
});
