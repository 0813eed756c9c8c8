/** The import of `examples/`: each row becomes one story, also where connections break and where it is run again. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestApp } from '../support/app.js';
import { CuttingProxy } from '../support/cutting-proxy.js';
import { Example, languages, pathOf, tokenOf } from './example.js';

vi.setConfig({ testTimeout: 120_000 });

let app: TestApp;
let proxy: CuttingProxy;
let token: string;
beforeAll(async () => {
  app = await TestApp.start();
  proxy = await CuttingProxy.to(app.base);
  token = await tokenOf(app, 'admin');
});
afterAll(async () => {
  await proxy.stop();
  await app.stop();
});

const storiesWith = (tag: string) =>
  app.rows(
    `select g.id, g.name, g.description, g.project_id as project from general g
     where g.id in (select general_id from general_tag join tag on tag.id = tag_id where tag.name = $1) order by g.id`,
    [tag],
  );

/** The answer is on its way: all is stored, and the client cannot know. */
const withAnswer = (from: 'client' | 'server', piece: Buffer): boolean =>
  from === 'server' && piece.includes('"Items"');

describe.each(languages)('$name', (language) => {
  let example: Example;
  beforeAll(() => {
    example = new Example('import-csv', language, token);
  });
  afterAll(() => example.remove());

  it.skipIf(!language.isThere)(`makes each row one story where connections break, in ${language.name}`, async () => {
    const project = (await app.rows('select min(id) as id from general where entity_type_id = 1 and process_id = 3'))[0]
      .id;
    const names = Array.from({ length: 150 }, (_, row) => `Row ${row}, of "many"`);
    const rows = names.map((name) => `"${name.replaceAll('"', '""')}",${project},${language.suffix}-broken,`);
    const file = join(example.folder, 'many.csv');
    writeFileSync(file, `Name,Project,Tags,Description\r\n${rows.join('\r\n')}\r\n`);
    const broken = proxy.breakAt(withAnswer, 'cut');
    const first = await example.run(proxy.url, [file]);
    await broken;
    expect(first, first.errors).toMatchObject({ status: 0 });
    const stored = await storiesWith(`${language.suffix}-broken`);
    expect(stored.map(({ name }) => name)).toEqual(names);
    expect(first.lines.map(Number)).toEqual(stored.map(({ id }) => id));
    // Run again, it gets the answers of the first time.
    expect((await example.run(app.base, [file])).lines).toEqual(first.lines);
    expect(await storiesWith(`${language.suffix}-broken`)).toHaveLength(names.length);
  });

  it.skipIf(!language.isThere)(`reads the sample, in ${language.name}`, async () => {
    const { status, lines, errors } = await example.run(app.base, [pathOf('stories.csv')]);
    expect(status, errors).toBe(0);
    const stored = await app.rows(
      'select name, description, project_id as project from general where id = any($1) order by id',
      [lines],
    );
    expect(stored).toEqual([
      { name: 'Print a receipt', description: 'Customers ask for it.', project: 8 },
      { name: 'Refund a card, or a part of it', description: 'The "refund" button', project: 8 },
    ]);
    expect((await app.json(`/api/v1/UserStories/${lines[1]}`)).Tags).toBe('checkout, paper');
  });

  it.skipIf(!language.isThere)(
    `stores nothing of a file with a mistake, and says what it is, in ${language.name}`,
    async () => {
      const file = join(example.folder, 'mistaken.csv');
      writeFileSync(file, `Name,Project,Tags\nFirst,8,${language.suffix}-mistaken\nSecond,999999,\n`);
      const { status, lines, errors } = await example.run(app.base, [file]);
      expect(status).not.toBe(0);
      expect(lines).toEqual([]);
      expect(errors).toContain('[1].Project');
      expect(await storiesWith(`${language.suffix}-mistaken`)).toEqual([]);
    },
  );

  it.skipIf(!language.isThere)(`fails where the file is missing, in ${language.name}`, async () => {
    const { status, lines } = await example.run(app.base, [join(example.folder, 'missing.csv')]);
    expect([status === 0, lines]).toEqual([false, []]);
  });

  it.skipIf(!language.isThere)(`fails where a project is no number, in ${language.name}`, async () => {
    const tag = `${language.suffix}-unnumbered`;
    const file = join(example.folder, 'unnumbered.csv');
    const rows = Array.from({ length: 90 }, (_, row) => `Row ${row},${row === 89 ? 'Orchard' : 8},${tag}`);
    writeFileSync(file, `Name,Project,Tags\n${rows.join('\n')}\n`);
    const { status, lines } = await example.run(app.base, [file]);
    expect([status === 0, lines, await storiesWith(tag)]).toEqual([false, [], []]);
  });

  it.skipIf(!language.isThere)(
    `reads empty first fields, quotes and a byte order mark, in ${language.name}`,
    async () => {
      const file = join(example.folder, 'quotes.csv');
      const rows = [',Fix it,8', '"",say "hi",8', '"a, ""b""","""q"",",8'];
      writeFileSync(file, `\ufeffDescription,Name,Project\r\n${rows.join('\r\n')}\r\n`);
      const { status, lines, errors } = await example.run(app.base, [file]);
      expect(status, errors).toBe(0);
      expect(await app.rows('select name, description from general where id = any($1) order by id', [lines])).toEqual([
        { name: 'Fix it', description: expect.toSatisfy((text) => !text) },
        { name: 'say "hi"', description: expect.toSatisfy((text) => !text) },
        { name: '"q",', description: 'a, "b"' },
      ]);
    },
  );
});
