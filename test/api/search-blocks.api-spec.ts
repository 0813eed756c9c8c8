/** Searches go block by block of ids: what is found is the same wherever the ids lie, and however a block is read. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { readAtOnce } from '../../src/query/compile/search-blocks.js';
import { TestApp } from '../support/app.js';

interface Item {
  id: number;
  type: 'UserStories' | 'Bugs';
  name: string;
  project: number;
  description: string;
}

let app: TestApp;
let projects: number[];
const items: Item[] = [];
const usual = { ...readAtOnce };

beforeAll(async () => {
  app = await TestApp.start();
  const project = async (Name: string): Promise<number> =>
    (await app.write('Projects', { Name, Process: { Id: 3 } })).Id;
  projects = [await project('Orchard'), await project('Hedge')];
  const [{ Id }] = await app.items("/api/v1/Users?where=(Login eq 'alice')&include=[Id]");
  await app.write('ProjectMembers', { Project: { Id: projects[0] }, User: { Id }, Role: { Id: 1 } });
});
afterAll(() => app.stop());
afterEach(() => Object.assign(readAtOnce, usual));

/** An item with the next id from `atLeast` on. All else changes with the number of items. */
async function addItem(atLeast: number): Promise<void> {
  const sequence = "pg_get_serial_sequence('general', 'id')";
  await app.rows(`select setval(${sequence}, greatest($1::bigint - 1, (select max(id) from general)))`, [atLeast]);
  const n = items.length;
  const type = n % 3 === 0 ? 'Bugs' : 'UserStories';
  const name = ['zuqarra', 'zuquini medlar', 'medlar'][(n >> 1) % 3]!;
  const [project, description] = [projects[n % 2]!, n % 4 > 1 ? 'ripe' : 'green'];
  const { Id } = await app.write(type, { Name: name, Description: description, Project: { Id: project } });
  items.push({ id: Id, type, name, project, description });
}

type Search = [q: string, more: string, isWanted: (item: Item) => boolean];

const has = (word: string) => (item: Item) => item.name.split(' ').includes(word);
const hasPrefix = ({ name }: Item): boolean => name.startsWith('zuq');

const searches = (): Search[] => [
  ['zuqarra', '', has('zuqarra')],
  ['medlar zuquini', '', has('zuquini')],
  ['medlar -zuquini', '', ({ name }) => name === 'medlar'],
  ['zuq*', '', hasPrefix],
  ['"zuquini medlar"', '', has('zuquini')],
  ['medlar', `&project=${projects[1]}`, (item) => has('medlar')(item) && item.project === projects[1]],
  ['zuq*', `&project=${projects[0]}`, (item) => hasPrefix(item) && item.project === projects[0]],
  ['medlar', '&types=Bug', (item) => has('medlar')(item) && item.type === 'Bugs'],
  ['zuq*', '&types=Bug', (item) => hasPrefix(item) && item.type === 'Bugs'],
  [
    'medlar',
    "&types=UserStory&where=Description eq 'ripe'",
    (item) => has('medlar')(item) && item.type === 'UserStories' && item.description === 'ripe',
  ],
  ['"zuquini medlar"', '&types=Bug', (item) => has('zuquini')(item) && item.type === 'Bugs'],
];

/** Each block in its parts; some of them; none. */
const bounds: [as: string, texts: number, generals: number][] = [
  ['admin', 1, 1],
  ['alice', 3, 2],
  ['alice', usual.texts, usual.generals],
];

async function expectAll(): Promise<void> {
  for (const [as, texts, generals] of bounds) {
    Object.assign(readAtOnce, { texts, generals });
    for (const [q, more, isWanted] of searches()) {
      const path = `/api/v1/Search?format=json&take=1000&q=${encodeURIComponent(q)}${more}`;
      const { status, text, json } = await app.ask(path, { as });
      expect(status, text).toBe(200);
      const seen = items.filter((item) => isWanted(item) && (as === 'admin' || item.project === projects[0]));
      const ids = json.Items.map(({ Id }: { Id: number }) => Id).sort((a: number, b: number) => b - a);
      expect([texts, as, q, more, ids]).toEqual([texts, as, q, more, seen.map(({ id }) => id).reverse()]);
    }
  }
}

it.each<[what: string, ids: number[]]>([
  ['one small block', [3000, 3001, 3002, 3003, 3004, 3005]],
  ['two', [4095, 4096, 4097, 8190, 8191]],
  ['three, one of which lies before the newest two', [8192, 8193, 8194, 12_287]],
  ['two of the second size', [65_535, 65_536, 65_537, 65_538, 69_632, 73_728]],
  ['the end of the second and the beginning of the third', [131_071, 131_072, 131_073, 139_264]],
  ['two of the third size', [1_048_575, 1_048_576, 1_048_577, 1_060_000, 1_114_112]],
  ['four of them', [2_097_151, 2_097_152, 2_200_000, 3_145_728, 3_145_729, 3_300_000, 3_300_001]],
])('finds the same when ids go to %s', { timeout: 60_000 }, async (_, ids) => {
  for (const id of ids) await addItem(id);
  await expectAll();
});

it('ranks the newest of many, and takes them from several blocks', async () => {
  const bodies = Array.from({ length: 400 }, () => ({ Name: 'loquat', Project: { Id: projects[0] } }));
  await app.rows("select setval(pg_get_serial_sequence('general', 'id'), 5000000)");
  await app.write('Bugs/bulk', bodies);
  await app.rows("select setval(pg_get_serial_sequence('general', 'id'), 5100000)");
  await app.write('Bugs/bulk', bodies);
  await app.rows("select setval(pg_get_serial_sequence('general', 'id'), 5200000)");
  await app.write('Bugs', { Name: 'other', Project: { Id: projects[0] } });
  for (const texts of [1, 100, 401, usual.texts]) {
    readAtOnce.texts = texts;
    for (const q of ['loquat', 'loq*']) {
      const found = await app.items(`/api/v1/Search?take=1000&q=${q}&include=[Id]`);
      const ids = found.map(({ Id }: { Id: number }) => Id);
      expect([texts, q, ids.length, ids.at(0), ids.at(-1)]).toEqual([texts, q, 500, 5_100_400, 5_000_301]);
    }
  }
});
