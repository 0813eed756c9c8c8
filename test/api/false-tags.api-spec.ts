/** Texts of tools that begin with `<…>` and no tag: the whole of them is seen wherever people look. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { escapeHtml } from '../../src/rich-text/escape-html.js';
import { Agent } from '../support/agent.js';
import { basic, TestApp } from '../support/app.js';

let app: TestApp;
let agent: Agent;
beforeAll(async () => {
  app = await TestApp.start();
  agent = await Agent.http(app.base, { authorization: basic('admin') });
});
afterAll(async () => {
  await agent.close();
  await app.stop();
});

const story = async (): Promise<number> =>
  (await app.write('UserStories', { Name: 'Pick apples', Project: { Id: 8 } })).Id;

const page = async (id: number): Promise<string> => {
  const answer = await app.ask(`/entity/${id}`);
  expect(answer.status).toBe(200);
  return answer.text;
};

describe.each([
  ['an address', '<https://example.com/zzone> fails when I open it', 'zzone', 'https://example.com/zzone'],
  ['an e-mail address', '<zztwo@example.com> wrote: please mend', 'zztwo', 'zztwo@example.com'],
  ['the parameter of a type', '<ZzT> is missing in List<ZzT>', 'missing in list', '<ZzT> is missing in List<ZzT>'],
])('%s', (_, text, words, shown) => {
  it('is seen of a comment', async () => {
    const id = await story();
    const { comment } = await agent.use('comment', { id, text });
    expect((await app.json(`/api/v1/Comments/${comment}`)).Description).toBe(`<!--markdown-->${text}`);
    expect(await page(id)).toContain(escapeHtml(shown));
    const { items } = await agent.use('search', { words });
    expect(items).toMatchObject([{ id, comment: expect.stringContaining(shown) }]);
  });

  it('is seen of a description, also one that is not marked', async () => {
    for (const Description of [`<!--markdown-->${text}`, text]) {
      const id = await story();
      await app.write(`UserStories/${id}`, { Description });
      expect(await page(id)).toContain(escapeHtml(shown));
      const { items } = await agent.use('list', {
        kind: 'UserStory',
        where: `id==${id}`,
        select: ['description.toPlainText()'],
      });
      expect(JSON.stringify(items)).toContain(JSON.stringify(text).slice(1, -1));
    }
  });
});

it.each([
  '<p>One</p>',
  ' <DIV\nclass="a">One</DIV>',
  '<!-- one --><b>One</b>',
  '<br/>One',
  '<o:p>One</o:p>',
])('HTML stays HTML: %j', async (text) => {
  const { comment } = await agent.use('comment', { id: await story(), text });
  expect((await app.json(`/api/v1/Comments/${comment}`)).Description).toBe(text);
});
