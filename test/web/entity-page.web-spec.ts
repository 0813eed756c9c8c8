/** The page of an entity over HTTP: what it shows, to whom, and that nothing anybody wrote becomes part of the page. */
import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PRIMARY_POOL } from '../../src/database/pools.js';
import { type Answer, TestApp } from '../support/app.js';
import { scrumProjects } from '../support/demonstration.js';

let app: TestApp;
let project: number;
let story: number;
beforeAll(async () => {
  app = await TestApp.start();
  [project] = await scrumProjects(app);
  story = await create('UserStories', { Name: 'Sign in', Project: { Id: project } });
});
afterAll(() => app.stop());

async function create(collection: string, body: object, on = app): Promise<number> {
  const answer = await on.post(`/api/v1/${collection}?format=json`, body);
  if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.json.Id;
}

const comment = (text: string, more = {}): Promise<number> =>
  create('Comments', { General: { Id: story }, Description: text, ...more });

/** What a reader sees of the content: the text between the tags. */
const read = ({ text }: Answer): string =>
  text
    .replace(/^.*<main[^>]*>|<\/main>.*$/gs, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Over the connections that are open, of which none ends in between. */
const bytesFromDatabase = (): number =>
  (app.nest.get(PRIMARY_POOL) as unknown as { _clients: { connection: { stream: Socket } }[] })._clients
    .map(({ connection }) => connection.stream.bytesRead)
    .reduce((sum, one) => sum + one, 0);

describe('the page', () => {
  it('shows kind, id, name, state, project, owner, tags and dates', async () => {
    const id = await create('UserStories', {
      Name: 'Pay by card',
      Project: { Id: project },
      Tags: 'shop, needs decision',
    });
    await app.rows("update general set start_date = '2026-01-31', end_date = '2026-02-01T15:30Z' where id = $1", [id]);
    const [{ name }] = await app.rows('select name from general where id = $1', [project]);
    const page = await app.ask(`/entity/${id}`);
    expect(page.status).toBe(200);
    expect(read(page)).toMatch(
      `User Story ${id} Pay by card State Open Project ${name} Owner Ada Administrator Start 31 Jan 2026 End 1 Feb 2026, 15:30 Created`,
    );
    expect(read(page)).toMatch(/Tags needs decision shop Description No description\. Comments 0 No comments\./);
    expect(page.text).toContain('<time datetime="2026-02-01T15:30:00+00:00">');
    expect(page.text).toContain(`<a href="/entity/${project}" dir="auto">`);
    expect(page.text).toContain(`<a href="/api/v1/UserStories/${id}?format=json">`);
  });

  it('is there for an entity of every kind', async () => {
    const kinds = await app.rows(
      'select distinct on (entity_type_id) id, name from general where delete_date is null order by entity_type_id, id',
    );
    expect(kinds.length).toBeGreaterThan(15);
    for (const { id, name } of kinds) {
      const page = await app.ask(`/entity/${id}`);
      expect([page.status, page.text.includes('<h1 dir="auto">')], name).toEqual([200, true]);
    }
  });

  it('is found with the name behind the id, in any letter case, and by HEAD', async () => {
    for (const path of [`/entity/${story}-sign-in`, `/Entity/${story}/`, `/entity/${story}?x=1`]) {
      expect([path, (await app.ask(path)).status]).toEqual([path, 200]);
    }
    expect(await app.ask(`/entity/${story}`, { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  });

  it('may do nothing but show pictures and its own style, and is kept by nobody', async () => {
    const { headers, text } = await app.ask(`/entity/${story}`);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy':
        "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; img-src 'self' https: http: data:",
      'cache-control': 'no-cache, no-store, must-revalidate, private',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    });
    expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
  });

  it('has a style sheet that anybody may have', async () => {
    const { text } = await app.ask(`/entity/${story}`);
    const address = /<link rel="stylesheet" href="([^"]+)">/.exec(text)![1]!;
    const style = await app.ask(address, { as: 'nobody' });
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(style.text).not.toMatch(/url\(|@import/);
  });

  it('tells dates in the zone of the service, and links below the address it is reached at', async () => {
    const berlin = await TestApp.start({ TIME_ZONE: 'Europe/Berlin', BASE_URL: 'https://example.com/tracker/' });
    try {
      const id = await create('Bugs', { Name: 'Zones', Project: { Id: project } }, berlin);
      await berlin.rows("update general set start_date = '2026-07-15T22:30Z' where id = $1", [id]);
      const page = await berlin.ask(`/entity/${id}`);
      expect(page.text).toContain('<time datetime="2026-07-16T00:30:00+02:00">16 Jul 2026, 00:30</time>');
      expect(page.text).toContain(`<a href="/tracker/entity/${project}"`);
      for (const { text } of [page, await berlin.ask('/entity/0')]) {
        expect(text).toMatch(/<link rel="stylesheet" href="\/tracker\/assets\/[\w-]+\/page\.css">/);
      }
    } finally {
      await berlin.stop();
    }
  });
});

describe('rich text on the page', () => {
  it('is rendered, HTML and Markdown, without what is not safe', async () => {
    const description = '<div>a <b onclick="x()">b</b></div>\r\n<script>alert(1)</script><img src=x onerror=alert(1)>';
    const id = await create('Bugs', { Name: 'Rich', Project: { Id: project }, Description: description });
    await create('Comments', { General: { Id: id }, Description: '<!--markdown-->*c* [d](https://example.com)' });
    const { text } = await app.ask(`/entity/${id}`);
    expect(text).toContain('<section class="rich" dir="auto"><div>a <b>b</b></div>\r\n<span></span></section>');
    expect(text).toContain(
      '<p><em>c</em> <a href="https://example.com" rel="noopener noreferrer nofollow">d</a></p>\n</section>',
    );
    expect(text).not.toContain('alert');
  });

  it('is Markdown without a mark when the setting says so', async () => {
    const markdown = await TestApp.start({ DEFAULT_RICH_EDITOR: 'Markdown' });
    try {
      const body = { Name: 'Rich', Project: { Id: project }, Description: '*a* <b>b</b><script>c</script>' };
      const { text } = await markdown.ask(`/entity/${await create('Bugs', body, markdown)}`);
      expect(text).toContain('<section class="rich" dir="auto"><p><em>a</em> <b>b</b></p>\n</section>');
    } finally {
      await markdown.stop();
    }
  });

  it('of the greatest length is cut with a note, and of many long comments the rest is left to the API', async () => {
    const id = await create('Bugs', { Name: 'Long', Project: { Id: project }, Description: 'a '.repeat(512 * 1024) });
    for (let count = 0; count < 4; count++) {
      await create('Comments', { General: { Id: id }, Description: 'b '.repeat(100_000) });
    }
    const last = await create('Comments', { General: { Id: id }, Description: 'c' });
    const { text } = await app.ask(`/entity/${id}`);
    expect(text.match(/The rest is not shown/g)).toHaveLength(1);
    expect(text.match(/Too long to be shown here/g)).toHaveLength(3);
    expect(text).toContain(`<a href="/api/v1/Comments/${last}?format=json">the API has it</a>`);
  });

  it('of characters that are two units each takes the room of both, in comments', async () => {
    for (const [each, fitting] of [
      [3000, 66],
      [50_000, 3],
    ] as const) {
      const id = await create('Bugs', { Name: 'Wide', Project: { Id: project } });
      await app.rows(
        `insert into comment (general_id, owner_id, description, create_date)
         select $1, 1, n || repeat('🙂', $2), now() + n * interval '1 second' from generate_series(1, 80) n`,
        [id, each],
      );
      const { text } = await app.ask(`/entity/${id}`);
      expect(text.match(/Too long to be shown here/g), `${each}`).toHaveLength(80 - fitting);
    }
  });

  it('is read no further than it is shown, whoever asks', async () => {
    const [Project] = await app.items('/api/v1/Projects?include=[Id]&take=1', { as: 'alice' });
    const id = await create('Bugs', { Name: 'Bounded', Project });
    const texts = Array.from({ length: 40 }, (_, at) => `${at}. ${'ä '.repeat(2 ** 19)}`);
    await app.rows("update general set description = repeat('d', 3000000) where id = $1", [id]);
    await app.rows(
      `insert into comment (general_id, owner_id, description, create_date, is_private)
       select $1, 1, text, now() + n * interval '1 second', n = 2
       from unnest($2::text[]) with ordinality as c(text, n)`,
      [id, [...texts, 'the last one']],
    );
    for (const as of ['admin', 'alice']) {
      const before = bytesFromDatabase();
      const page = await app.ask(`/entity/${id}`, { as });
      expect(bytesFromDatabase() - before).toBeLessThan(1.5 * 2 ** 20);
      expect(page.status).toBe(200);
      expect(page.text.length).toBeLessThan(700_000);
      expect(page.text.match(/The rest is not shown/g)).toHaveLength(3);
      expect(page.text.match(/Too long to be shown here/g)).toHaveLength(39);
      expect(page.text).toContain(`>${'d'.repeat(200_000)}<p><em>The rest`);
      for (const shown of texts.slice(0, 2)) expect(page.text).toContain(`>${shown.slice(0, 200_000)}<p><em>The rest`);
      const comments = await app.items(
        `/api/v1/Comments?include=[Id]&where=(General.Id eq ${id})&orderBy=Id&take=100`,
        { as },
      );
      const articles = [...page.text.matchAll(/<article id="comment-(\d+)">/g)].map(([, one]) => Number(one));
      expect(articles).toEqual(comments.map(({ Id }) => Id));
      expect(page.text.match(/<bdi class="author">Ada Administrator<\/bdi>/g)).toHaveLength(41);
      expect(page.text.match(/>private<\/span><\/header>\n<section class="rich" dir="auto">1\. ä/g)).toHaveLength(1);
      expect(page.text.match(/>private</g)).toHaveLength(1);
    }
  });

  it('of Markdown too long to be rendered is shown as its source, and says so', async () => {
    const long = `<!--markdown-->*a*${'>>>>b\n\n'.repeat(14_000)}`;
    const id = await create('Bugs', { Name: 'Source', Project: { Id: project }, Description: long });
    for (const text of ['<!--markdown-->*c*', long, long, long, long, long, '<!--markdown-->*d*']) {
      await create('Comments', { General: { Id: id }, Description: text });
    }
    const page = await app.ask(`/entity/${id}`);
    expect(page.status).toBe(200);
    expect(page.text.match(/too long to be shown as it was meant; here is its source/g)).toHaveLength(5);
    expect(page.text.match(/<pre>\*a\*&gt;&gt;&gt;&gt;b\n/g)).toHaveLength(5);
    expect(page.text.match(/Too long to be shown here/g)).toHaveLength(1);
    for (const letter of ['c', 'd']) expect(page.text).toContain(`<p><em>${letter}</em></p>`);

    const other = await create('Bugs', {
      Name: 'Rendered',
      Project: { Id: project },
      Description: '<!--markdown-->*e*',
    });
    expect((await app.ask(`/entity/${other}`)).text).toContain('<p><em>e</em></p>');
  });
});

describe('names', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>\'&amp;';
  const escaped = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&#39;&amp;amp;';

  it('of entities, projects, states, people and tags are text, whatever they are', async () => {
    const where = await create('Projects', { Name: `P${hostile}` });
    const id = await create('UserStories', { Name: `S${hostile}`, Project: { Id: where }, Tags: `T${hostile}` });
    await create('Comments', { General: { Id: id }, Description: 'x' });
    await app.rows('update general_user set first_name = $1, last_name = $2 where id = 1', [`F${hostile}`, '</bdi>']);
    await app.rows('update entity_state set name = $1 where id = (select entity_state_id from general where id = $2)', [
      `E${hostile}`,
      id,
    ]);
    const { text } = await app.ask(`/entity/${id}`);
    for (const letter of ['P', 'S', 'T', 'F', 'E']) expect(text).toContain(`>${letter}${escaped}`);
    expect(text).toContain(`<title>S${escaped} · User Story ${id}</title>`);
    expect(text).not.toMatch(/<script|<img|<\/bdi>\s*<\/bdi>/);
    await app.rows("update general_user set first_name = 'Ada', last_name = 'Administrator' where id = 1");
  });
});

describe('comments', () => {
  it('tell who said what when, what they reply to and that they are private, newest last', async () => {
    const first = await comment('one');
    const second = await comment('two', { ParentId: first, IsPrivate: true });
    const page = await app.ask(`/entity/${story}`);
    expect(read(page)).toMatch(
      new RegExp(
        `Comments 2 Ada Administrator \\S+ \\S+ \\d+, \\d\\d:\\d\\d one Ada Administrator .* in reply to ${first} private two In the API`,
      ),
    );
    expect(page.text).toContain(`<article id="comment-${second}">`);
    expect(page.text).toContain(`<a href="#comment-${first}">in reply to ${first}</a>`);
    expect(page.text).not.toContain('More comments');
  });

  it('come a hundred to a page, with the total and the way to the others', async () => {
    const id = await create('Bugs', { Name: 'Talk', Project: { Id: project } });
    const body = Array.from({ length: 205 }, (_, at) => ({ General: { Id: id }, Description: `no. ${at + 1}.` }));
    expect((await app.post('/api/v1/Comments/bulk?format=json', body)).status).toBeLessThan(300);
    const pages = [
      ['', 1, 100, '1 to 100 of 205. Later comments', ['?skip=100#comments']],
      [
        '?skip=100',
        101,
        200,
        '101 to 200 of 205. Earlier comments Later comments',
        ['?skip=0#comments', '?skip=200#comments'],
      ],
      ['?skip=200', 201, 205, '201 to 205 of 205. Earlier comments', ['?skip=100#comments']],
      ['?skip=900', 0, 0, '205 in all. Earlier comments', ['?skip=105#comments']],
    ] as const;
    for (const [query, from, to, words, links] of pages) {
      const page = await app.ask(`/entity/${id}${query}`);
      const shown = [...page.text.matchAll(/no\. (\d+)\./g)].map(([, number]) => Number(number));
      expect(shown).toEqual(from === 0 ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at));
      expect(read(page)).toContain(`Comments 205`);
      expect(read(page)).toContain(words);
      expect([...page.text.matchAll(/href="(\?[^"]*)"/g)].map(([, address]) => address)).toEqual(links);
    }
    const [{ Id: first }] = await app.items(`/api/v1/Comments?where=General.Id eq ${id}&orderBy=Id&take=1`);
    await app.post('/api/v1/Comments', { General: { Id: id }, Description: 'late', ParentId: first });
    const { text } = await app.ask(`/entity/${id}?skip=200`);
    expect(text).toContain(`in reply to ${first}`);
    expect(text).not.toContain(`href="#comment-${first}"`);
  });
});

describe('files', () => {
  const attach = (id: number, names: readonly string[]) =>
    app.rows(
      `insert into attachment (name, size, date, owner_id, general_id)
       select name, 1234567, now() + n * interval '1 second', 1, $1 from unnest($2::text[]) with ordinality as f(name, n)`,
      [id, names],
    );

  it('are listed by name and size, to be downloaded', async () => {
    const id = await create('Bugs', { Name: 'With files', Project: { Id: project } });
    expect(read(await app.ask(`/entity/${id}`))).not.toContain('Files');
    const base64 = Buffer.from('hello').toString('base64');
    const file = await create('Attachments', { Name: '<b>note.txt', General: { Id: id }, Content: base64 });
    await attach(id, ['film.mp4']);
    const page = await app.ask(`/entity/${id}`);
    expect(read(page)).toContain('Files 2 &lt;b&gt;note.txt 5 bytes film.mp4 1.23 MB Comments 0');
    const [, address] = /<a href="([^"]+)" dir="auto">&lt;b&gt;note/.exec(page.text)!;
    expect(address).toBe(`/Attachment.aspx?AttachmentID=${file}`);
    expect((await app.ask(address!)).text).toBe('hello');
    expect((await app.ask(`/api/v1/Attachments/${file}`, { method: 'DELETE' })).status).toBe(200);
    expect(read(await app.ask(`/entity/${id}`))).toContain('Files 1 film.mp4');
  });

  it('are a hundred at the most, and the API has the others', async () => {
    const id = await create('Bugs', { Name: 'With many files', Project: { Id: project } });
    await attach(
      id,
      Array.from({ length: 101 }, (_, at) => `no. ${at + 1}.`),
    );
    const page = await app.ask(`/entity/${id}`);
    const shown = [...page.text.matchAll(/>no\. (\d+)\.</g)].map(([, number]) => Number(number));
    expect(shown).toEqual(Array.from({ length: 100 }, (_, at) => at + 1));
    expect(read(page)).toContain('Files 101');
    expect(read(page)).toContain('100 of 101; the API has all .');
    const [, address] = /<a href="([^"]+)">the API has all/.exec(page.text)!;
    expect((await app.items(`${address}&take=200`)).length).toBe(101);
  });
});

describe('who may see it', () => {
  it('nobody without credentials, and the challenge makes browsers ask for them', async () => {
    for (const ask of [{ as: 'nobody' }, { as: 'admin:wrong' }]) {
      const page = await app.ask(`/entity/${story}`, ask);
      expect(page.status).toBe(401);
      expect(page.headers.get('www-authenticate')).toBe('Basic realm="Worktrack", charset="UTF-8"');
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(page.text).not.toContain('Sign in</h1>');
    }
    expect((await app.ask('/entity/0', { as: 'nobody' })).status).toBe(401);
  });

  it('whoever sees the entity in the API; what is invisible, deleted and missing is the same 404', async () => {
    const seen = new Set<number>(
      (await app.items('/api/v1/Generals?include=[Id]&take=1000', { as: 'alice' })).map(({ Id }) => Id),
    );
    const [hidden] = await app.rows('select id from general where delete_date is null and not (id = any($1)) limit 1', [
      [...seen],
    ]);
    const [deleted] = await app.rows('select id from general where delete_date is not null limit 1');
    const [visible] = seen;
    expect((await app.ask(`/entity/${visible}`, { as: 'alice' })).status).toBe(200);
    expect((await app.ask(`/entity/${hidden.id}`)).status).toBe(200);
    const answers = await Promise.all(
      [hidden.id, deleted.id, 2_000_000_000].map(async (id) => {
        const page = await app.ask(`/entity/${id}`, { as: 'alice' });
        return [
          page.status,
          Object.fromEntries([...page.headers].filter(([name]) => !/date|length|x-request-id/.test(name))),
          page.text.replace(String(id), 'N'),
        ];
      }),
    );
    expect(answers[0]![0]).toBe(404);
    expect(answers[0]![1]).toMatchObject({ 'content-type': 'text/html; charset=utf-8' });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it.each([
    'abc',
    '0',
    '-1',
    '1.5',
    '1e3',
    '0x10',
    '99999999999999999999',
    '%3Cscript%3Ealert(1)',
    "1'or'1",
    '1%00',
    '💥',
  ])('nothing is at /entity/%s, and it says so safely', async (id) => {
    const page = await app.ask(`/entity/${id}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page.text).not.toContain('<script');
  });

  it('a question that makes no sense is refused on a page as well', async () => {
    const page = await app.ask(`/entity/${story}?skip=<b>`);
    expect([page.status, read(page)]).toEqual([
      400,
      'That cannot be shown skip: &#39;&lt;b&gt;&#39; is not a whole number of 0 or more.',
    ]);
  });
});
