/** `docs/adding-a-resource.md`, followed on a copy of the repository: nothing else is needed. */
import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ScratchDatabase } from '../support/scratch-database.js';

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(join(root, 'docs/adding-a-resource.md'), 'utf8');
const { PATH, HOME } = process.env;

const copy = mkdtempSync(join(tmpdir(), 'worktrack-resource-'));
const run = (...[file, args]: [string, string[]]) =>
  promisify(execFile)(file, args, { cwd: copy, env: { PATH, HOME } });

const change = (file: string, edit: (text: string) => string): void => {
  const place = join(copy, file);
  const before = readFileSync(place, 'utf8');
  const after = edit(before);
  if (after === before) throw new Error(`${file} is as it was`);
  writeFileSync(place, after);
};

/** The blocks of code of the page, each with the last path that stands before it. */
const blocks = [...page.matchAll(/`(src\/[^`]+\.entity\.ts)`(?:(?!`src\/)[\s\S])*?```ts\n([\s\S]*?)```/g)].map(
  ([, file, code]) => ({ file: file!, code: code! }),
);

/** An entity of its own is a file; a line comes behind the other members of a class. */
function writeEntity({ file, code }: (typeof blocks)[number]): void {
  if (code.includes('export class')) writeFileSync(join(copy, file), code.replace(/^ {3}/gm, ''));
  else change(file, (text) => text.replace(/\}\n$/, `${code}}\n`));
}

const inModules = [...page.matchAll(/`(\w+)` behind `(\w+)`\s+in\s+`(src\/[^`]+)`/g)].map(
  ([, name, service, file]) => ({
    name: name!,
    service: service!,
    file: file!,
  }),
);

beforeAll(async () => {
  const apart = ['.git', 'dist', 'node_modules'];
  cpSync(root, copy, { recursive: true, filter: (file) => !apart.includes(basename(file)) });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  blocks.forEach(writeEntity);
  for (const { name, service, file } of inModules)
    change(file, (text) =>
      text
        .replace(new RegExp(`resourceController\\(\\s*${service},`), `$& ${name},`)
        .replace(/^import /m, `import { ${name} } from './${name.toLowerCase()}.entity.js';\n$&`),
    );
  for (const [, name] of page.matchAll(/`npm run migration -- (add \w+)`/g))
    await run('npm', ['run', '--silent', 'migration', '--', ...name!.split(' ')]);
  await run('npm', ['run', '--silent', 'format']);
  await run('npm', ['run', '--silent', 'build']);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it('names two entities, their modules and where others list them', () => {
  expect(blocks).toHaveLength(4);
  expect(inModules.map(({ name }) => name)).toEqual(['Risk', 'Hazard']);
});

it('leaves a schema that entities and migrations agree on, and a record of all changes', async () => {
  await run('npx', ['vitest', 'run', 'test/architecture.spec.ts', 'test/api/change-record.api-spec.ts']);
});

/** As its banner tells it. */
const addressOf = (service: ChildProcessByStdio<null, Readable, null>): Promise<string> =>
  new Promise((resolve, reject) => {
    let banner = '';
    service.stdout.setEncoding('utf8').on('data', (piece: string) => {
      banner += piece;
      const [address] = /http:\/\/[\w.]+:\d+/.exec(banner) ?? [];
      if (address) resolve(address);
    });
    service.once('exit', () => reject(new Error(`It ended: ${banner}`)));
  });

it('serves both, on a database that has items', async () => {
  const database = await ScratchDatabase.create();
  const service = spawn(process.execPath, ['bin/start.mjs'], {
    cwd: copy,
    env: { PATH, HOME, DATABASE_URL: database.url, PORT: '0', DATA_DIR: join(copy, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(service, 'exit');
  try {
    const address = await addressOf(service);
    const authorization = `Basic ${Buffer.from('admin:admin').toString('base64')}`;
    // biome-ignore lint/suspicious/noExplicitAny: a spec states the shape it expects
    const ask = async (path: string, body?: object): Promise<Record<string, any>> => {
      const answer = await fetch(`${address}/api/v1/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
      return { status: answer.status, ...((await answer.json()) as object) };
    };
    const [feature] = (await ask('Features?take=1&include=[Id,Project]')).Items;
    const project = feature.Project.Id;
    const place = { Project: { Id: project } };
    expect(await ask('Risks', { Name: 'late', ...place })).toMatchObject({ status: 201, IsAccepted: false });
    expect(await ask(`Projects/${project}/Risks`)).toMatchObject({ Items: [{ Name: 'late' }] });
    const hazard = await ask('Hazards', { Name: 'leak', Answer: 'a test', ...place, Feature: { Id: feature.Id } });
    expect(hazard).toMatchObject({
      status: 201,
      EntityType: { Name: 'Hazard' },
      EntityState: { Name: expect.any(String) },
    });
    expect(await ask(`Features/${feature.Id}/Hazards`)).toMatchObject({ Items: [{ Answer: 'a test' }] });
    expect(await ask(`HazardHistories?where=General.Id eq ${hazard.Id}`)).toMatchObject({ Items: [{ Name: 'leak' }] });
  } finally {
    service.kill();
    await ended;
    await database.drop();
  }
});
