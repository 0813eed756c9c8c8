/**
 * The structure of the source, checked: who may import whom, which routes are open, and that entities and database
 * agree.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDataSource } from '../src/database/data-source.js';
import { buildModel } from '../src/model/build-model.js';
import { entities, resourceEntities } from '../src/modules/entities.js';
import { TestApp } from './support/app.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const src = join(root, 'src');

function files(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(directory, file));
}

const sources = files(src).filter((file) => !file.endsWith('.spec.ts'));

interface Import {
  from: string;
  to: string;
  typeOnly: boolean;
}

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8');
  const imports = text.matchAll(/^(?:import|export)\s+(type\s+)?([^;]*?)\s*from\s+'([^']+)'/gm);
  return [...imports].map(([, type, names, to]) => ({
    from: relative(src, file),
    to: to!.startsWith('.') ? relative(src, resolve(dirname(file), to!)).replace(/\.js$/, '.ts') : to!,
    typeOnly: type !== undefined || /^\{(\s*type [^,]+,?)+\s*\}$/.test(names!),
  }));
}

const imports = sources.flatMap(importsOf);
/** Files that lead back to themselves, those of one knot together. */
function circlesIn(edges: ReadonlyMap<string, readonly string[]>): string[] {
  const reached = new Map([...edges.keys()].map((file) => [file, reachedFrom(file, edges)]));
  const knots = new Set<string>();
  for (const [file, others] of reached) {
    if (!others.has(file)) continue;
    knots.add(
      [...others]
        .filter((other) => reached.get(other)?.has(file))
        .sort()
        .join(' '),
    );
  }
  return [...knots].sort();
}

function reachedFrom(start: string, edges: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set<string>();
  const pending = [start];
  for (let file = pending.pop(); file !== undefined; file = pending.pop()) {
    for (const to of edges.get(file) ?? []) {
      if (reached.has(to)) continue;
      reached.add(to);
      pending.push(to);
    }
  }
  return reached;
}

const folder = (path: string): string => (path.includes('/') ? path.split('/', 1)[0]! : path);

describe('who may import whom', () => {
  /**
   * What each folder, and the files beside them (''), may import of the others, types aside. This table is the
   * authoritative form of the rule.
   */
  const allowed: Record<string, string[]> = {
    '': [
      'auth',
      'command',
      'config',
      'database',
      'files',
      'http',
      'mcp',
      'model',
      'modules',
      'runtime',
      'server',
      'texts',
      'web',
    ],
    auth: ['config', 'database', 'errors.ts', 'http', 'model', 'passwords', 'runtime', 'texts', 'turns'],
    backup: ['database', 'errors.ts', 'files', 'runtime', 'server'],
    bytes: [],
    cli: ['auth', 'backup', 'client', 'config', 'database', 'doctor', 'files', 'runtime', 'server', 'texts'],
    client: ['texts'],
    command: ['actor.ts', 'errors.ts', 'model', 'runtime', 'sql.ts', 'texts', 'turns'],
    config: ['passwords', 'texts'],
    database: ['bytes', 'config', 'errors.ts', 'passwords', 'runtime', 'texts', 'turns'],
    doctor: ['command', 'database', 'errors.ts', 'files', 'model', 'modules', 'server'],
    files: ['command', 'config', 'database', 'errors.ts', 'http', 'model', 'query', 'server', 'texts', 'turns'],
    http: [
      'actor.ts',
      'bytes',
      'command',
      'config',
      'database',
      'error-codes.ts',
      'errors.ts',
      'model',
      'passwords',
      'query',
      'representation',
      'runtime',
      'texts',
      'turns',
    ],
    mcp: ['client', 'command', 'config', 'errors.ts', 'http', 'model', 'runtime', 'texts', 'turns'],
    metrics: ['database', 'http', 'query', 'runtime', 'server'],
    model: ['runtime', 'sql.ts'],
    modules: [
      'actor.ts',
      'auth',
      'bytes',
      'command',
      'config',
      'database',
      'error-codes.ts',
      'errors.ts',
      'files',
      'http',
      'model',
      'passwords',
      'query',
      'representation',
      'runtime',
      'sql.ts',
      'texts',
      'turns',
    ],
    passwords: ['errors.ts'],
    query: ['actor.ts', 'bound.ts', 'errors.ts', 'model', 'sql.ts', 'texts'],
    representation: ['model', 'sql.ts'],
    'rich-text': ['texts'],
    runtime: [],
    server: ['app.ts', 'auth', 'config', 'database', 'errors.ts', 'http', 'runtime', 'turns'],
    texts: [],
    tracing: ['database', 'http', 'runtime'],
    turns: ['errors.ts'],
    web: [
      'auth',
      'bytes',
      'config',
      'errors.ts',
      'http',
      'model',
      'modules',
      'passwords',
      'query',
      'rich-text',
      'runtime',
      'turns',
    ],
  };

  const room = (path: string): string => (path.includes('/') ? folder(path) : '');
  const across = imports.filter(
    (one) => !one.typeOnly && /\.ts$/.test(one.to) && room(one.from) !== room(one.to) && !one.to.startsWith('..'),
  );

  it('is said of each folder', () => {
    const folders = readdirSync(src, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(Object.keys(allowed).sort()).toEqual(['', ...folders.map(({ name }) => name)].sort());
  });

  it.each(Object.entries(allowed))('%s', (from, to) => {
    const own = across.filter((one) => room(one.from) === from);
    const breaches = own.filter((one) => !to.some((name) => one.to === name || folder(one.to) === name));
    expect(breaches.map((one) => `${one.from} -> ${one.to}`)).toEqual([]);
    const unused = to.filter((name) => !own.some((one) => one.to === name || folder(one.to) === name));
    expect(unused).toEqual([]);
  });

  it('leads from no folder back to it', () => {
    const edges = Object.entries(allowed).map(
      ([from, to]) => [from, to.filter((name) => !name.endsWith('.ts'))] as const,
    );
    const folders = new Map(edges);
    // The files at the root are the leaves of all others, or their beginning.
    folders.delete('');
    expect(circlesIn(folders)).toEqual([]);
  });

  it.each([
    'model',
    'query',
    'command',
    'representation',
    'rich-text',
  ])('%s never imports Nest, Fastify or pg', (from) => {
    const breaches = imports.filter(
      (one) => folder(one.from) === from && !one.typeOnly && /^(@nestjs|fastify|pg$|passport)/.test(one.to),
    );
    expect(breaches.map((one) => `${one.from} -> ${one.to}`)).toEqual([]);
  });

  /** Both languages lead to the tree of meaning, and the compiler knows neither. */
  const rooms: Record<string, string[]> = {
    '': ['functions'],
    functions: [''],
    compile: ['', 'functions'],
    v1: ['', 'functions', 'compile'],
    v2: ['', 'functions', 'compile', 'v1/resolve-selection.ts'],
  };

  it.each(Object.entries(rooms))('query/%s', (from, to) => {
    const inside = (path: string): string => relative('query', path);
    const room = (path: string): string => (inside(path).includes('/') ? folder(inside(path)) : '');
    const breaches = imports.filter(
      (one) =>
        one.from.startsWith('query/') &&
        one.to.startsWith('query/') &&
        room(one.from) === from &&
        !one.typeOnly &&
        room(one.to) !== from &&
        !to.some((name) => inside(one.to) === name || room(one.to) === name),
    );
    expect(breaches.map((one) => `${one.from} -> ${one.to}`)).toEqual([]);
  });

  it('only two files connect to a database, so that nothing is forgotten on any connection', () => {
    const connecting = sources.filter((file) =>
      /(?:new|extends) (?:pg\.)?(?:Client|Pool)\b/.test(readFileSync(file, 'utf8')),
    );
    expect(connecting.map((file) => relative(src, file))).toEqual(['database/client.ts', 'database/pool.ts']);
  });

  it('connections to an address of the settings that are of no pool are opened in one place, for any form of it', () => {
    const opening = sources.filter((file) => /new (?:Database|Shared)Client\(/.test(readFileSync(file, 'utf8')));
    const ofTheEmbedded = ['cli/embedded-use.ts', 'database/embedded/embedded.ts'];
    const ofPools = ['database/unasked-client.ts'];
    expect(opening.map((file) => relative(src, file)).sort()).toEqual(
      [...ofTheEmbedded, ...ofPools, 'database/open-client.ts', 'database/writable-address.ts'].sort(),
    );
    const separating = imports.filter(({ to }) => to === 'config/database-addresses.ts').map(({ from }) => from);
    expect(separating.sort()).toEqual([
      'config/config-values.ts',
      'database/data-source.ts',
      // Each replica has a pool of its own.
      'database/database.module.ts',
      'database/detect-poolers.ts',
      'database/writable-address.ts',
    ]);
  });

  it('only pages render rich text', () => {
    const users = imports.filter((one) => folder(one.to) === 'rich-text' && folder(one.from) !== 'rich-text');
    expect(new Set(users.map((one) => folder(one.from)))).toEqual(new Set(['web']));
  });

  it('only entities, rules and services are imported from outside their family', () => {
    const outside = imports.filter((one) => {
      const [, family] = one.to.split('/');
      const isFamily = one.to.startsWith('modules/') && one.to.split('/').length > 2;
      const same = one.from.startsWith(`modules/${family}/`);
      return (
        isFamily &&
        !same &&
        !/(\.entity|\.entities|\.module|\.service|-rules|catalogue|-setup|timebox|span-totals|end-dates)\.ts$/.test(
          one.to,
        )
      );
    });
    expect(outside.map((one) => `${one.from} -> ${one.to}`)).toEqual([]);
  });
});

describe('import circles', () => {
  /** Files of the source that a file imports, types alone or all. */
  const graph = (typesToo: boolean): Map<string, string[]> => {
    const edges = new Map<string, string[]>();
    for (const { from, to, typeOnly } of imports) {
      if (typeOnly && !typesToo) continue;
      edges.set(from, [...(edges.get(from) ?? []), to]);
    }
    return edges;
  };

  it.each([
    ['of values', false],
    ['of types', true],
  ])('%s: there are none', (_, typesToo) => {
    expect(circlesIn(graph(typesToo))).toEqual([]);
  });

  it('are found, whether short or long', () => {
    const edges = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['d2'], d2: ['d'], e: ['a'] };
    expect(circlesIn(new Map(Object.entries(edges)))).toEqual(['a b c', 'd d2']);
  });
});

describe('the tree of meaning', () => {
  /** What switches with a `default:` are over. */
  const openSwitches = (text: string): string[] =>
    [...text.matchAll(/\bswitch \((.*)\) \{\n((?:(?!.*\bswitch \().*\n)*?)\s*default:/g)].map(([, over]) => over!);

  it.each<[string, string[]]>([
    ["switch (node.kind) {\n  case 'row':\n    return 1;\n  default:\n    return 2;\n}", ['node.kind']],
    ['switch (a) {\n  case 1:\n    return 1;\n}\nswitch (b.type) {\n  default:\n    return 2;\n}', ['b.type']],
    ["switch (node.kind) {\n  case 'row':\n    return 1;\n}", []],
  ])('%j is open over %j', (text, over) => expect(openSwitches(text)).toEqual(over));

  it('is passed over by naming each kind: only words of clients may be none of those that are known', () => {
    const open = sources
      .filter((file) => relative(src, file).startsWith('query/'))
      .flatMap((file) => openSwitches(readFileSync(file, 'utf8')).map((over) => `${relative(src, file)}: ${over}`));
    expect(open.filter((one) => !one.endsWith('.name.toLowerCase()'))).toEqual([]);
  });
});

describe('transactions', () => {
  it('of requests are begun in one place, which lets nothing out of them', () => {
    const opening = /['`]begin(?:[';]| isolation level )|createQueryRunner|manager\.transaction|startTransaction/;
    const openers = sources.filter((file) => opening.test(readFileSync(file, 'utf8')));
    const atStart = [
      ...['database/migrate.ts', 'database/brief-transactions.ts', 'database/open-client.ts', 'database/prepare.ts'],
      'database/seeds/bulk.ts',
    ];
    const ofOneSnapshot = ['backup/back-up.ts'];
    const rolledBack = ['doctor/made-schema.ts', 'doctor/totals.ts'];
    const ofReads = ['query/reader.ts'];
    expect(new Set(openers.map((file) => relative(src, file)))).toEqual(
      new Set([...atStart, ...ofOneSnapshot, ...rolledBack, ...ofReads, 'database/transaction-connection.ts']),
    );
  });
});

describe('files', () => {
  it('stay small enough to see', () => {
    const long = sources
      .filter((file) => !file.includes('/migrations/') && !file.includes('/seeds/'))
      .map((file) => [relative(src, file), readFileSync(file, 'utf8').split('\n').length] as const)
      .filter(([, lines]) => lines > 400);
    expect(long).toEqual([]);
  });

  it('that read the clock of the machine are these: what is stored or compared with it has that of the database', () => {
    const readers = sources.filter((file) => /\bDate\.now\(|new Date\(\)/.test(readFileSync(file, 'utf8')));
    expect(readers.map((file) => relative(src, file)).sort()).toEqual([
      // Ages of files.
      'database/embedded/staging.ts',
      'database/prepare.ts',
      'doctor/files.ts',
      'http/edge-error.ts',
      'http/logger.ts',
    ]);
  });

  it('that write to standard output or error are these: what they write is redacted, or nobody sent it', () => {
    const writers = sources.filter((file) =>
      /\bconsole\.|process\.(stdout|stderr)|streamSym|pino\(/.test(readFileSync(file, 'utf8')),
    );
    expect(writers.map((file) => relative(src, file)).sort()).toEqual([
      'cli/ask-password.ts',
      'cli/output.ts',
      'http/logger.ts',
      'runtime/standard-output.ts',
      'server/serve.ts',
      'server/standard-error.ts',
    ]);
  });

  it('that end the process are these: all else ends it by endProcess, which files that hang do not hold up', () => {
    const ending = sources.filter((file) => /\bprocess\.(exit|reallyExit|abort)\(/.test(readFileSync(file, 'utf8')));
    expect(ending.map((file) => relative(src, file)).sort()).toEqual(
      [
        // In a process of its own.
        'server/accept-handles.ts',
        'server/end-process.ts',
        // While a database is made, before files are stored.
        'database/embedded/staging.ts',
      ].sort(),
    );
  });

  it('of pages that send requests are these: one knows the credential and the path of its page, one needs neither', () => {
    const client = join(src, 'web/client');
    const senders = readdirSync(client).filter(
      (file) => file.endsWith('.js') && /\bfetch\(|XMLHttpRequest\(/.test(readFileSync(join(client, file), 'utf8')),
    );
    expect(senders.sort()).toEqual(['landing.js', 'request.js']);
  });

  it('hold prose in lines of at most 120 characters', () => {
    const folders = ['src', 'test', 'bench', 'siege', 'cluster', 'bin', 'docs'];
    const texts = [
      ...readdirSync(root),
      ...folders.flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
      ),
    ].filter(
      (file) =>
        /\.(ts|mjs|js|md)$/.test(file) &&
        !/^(docs\/licences|(bench|siege)\/(report|durable|soak|peers|node))\b/.test(file),
    );
    const long = texts.flatMap((file) => {
      const isMarkdown = file.endsWith('.md');
      let isCode = false;
      return readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => {
          if (line.startsWith('```')) isCode = !isCode;
          const isProse = isMarkdown
            ? !isCode && !/^\s*(\||`[^`]*`$)/.test(line)
            : /^\s*(\/\/ (?!biome)|\*|\/\*\*)/.test(line);
          return isProse && line.length > 120 ? [`${file}:${at + 1}`] : [];
        });
    });
    expect(long).toEqual([]);
  });

  const pipelines = /^(?:cli\/client|client|command|doctor|files|http|mcp|model|query|representation)\//;

  it('of the pipelines name no kind: facts about it stand on its entity', () => {
    const kinds = new Set(buildModel(resourceEntities).resources.map(({ name }) => name));
    const naming = sources
      .filter((file) => pipelines.test(relative(src, file)))
      .flatMap((file) => {
        const text = readFileSync(file, 'utf8').replace(/^\s*(?:\/\/|\*|\/\*\*).*$/gm, '');
        const named = [...text.matchAll(/(?<!CustomValues(?:\[|\.Get\())'([A-Z]\w+)'/g)].filter(([, name]) =>
          kinds.has(name!),
        );
        const numbered = [...text.matchAll(/entity_type_id\s*(?:=|<>|in|when)\s*\(?\d+/g)];
        return [...named, ...numbered].map(([match]) => `${relative(src, file)}: ${match}`);
      });
    // These see answers alone, and no model.
    const ofAnswers = ["cli/client/cells.ts: 'Assignment'", "cli/client/cells.ts: 'TeamAssignment'"];
    // What they are for is one kind: a comment, states and custom fields that are described, files, places of times.
    const ofOneKind = [
      ...["cli/client/items.ts: 'Comment'", "doctor/places.ts: 'Time'", "files/sent-files.ts: 'Attachment'"],
      ...["mcp/described-kinds.ts: 'CustomField'", "mcp/described-kinds.ts: 'EntityState'"],
      ...["mcp/reading-tools.ts: 'Comment'", "mcp/writing-tools.ts: 'Comment'"],
    ];
    // Names of members: of refusals, and of bodies and answers that a tool writes and reads.
    const ofMembers = [
      ...["http/error-members.ts: 'Message'", "mcp/field-values.ts: 'Project'"],
      ...["mcp/writing-tools.ts: 'EntityState'", "mcp/writing-tools.ts: 'Project'"],
    ];
    expect([...new Set(naming)].sort()).toEqual([...ofAnswers, ...ofOneKind, ...ofMembers].sort());
  });

  it('look nothing up in an object literal by a text of a client: a Map has no inherited members', () => {
    const tables = /^(?:export )?const (\w+): (?:Readonly<)?Record<string,.* = \{/gm;
    const inheriting = sources
      .filter((file) => /^(command|http|mcp|query|representation|texts)\//.test(relative(src, file)))
      .flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(tables)].map(([, table]) => `${relative(src, file)}: ${table}`),
      );
    const bySigns = [
      ...['mcp/reading-tools.ts: entities', 'query/v1/scanner.ts: quotedRun', 'query/v2/parse-expression.ts: binding'],
      ...['query/v2/scan-expression.ts: plain', 'query/v2/scan-expression.ts: escapes'],
      // One letter, once or several times.
      ...['query/functions/date-text.ts: parts', 'query/functions/date-text.ts: forms', 'texts/moments.ts: words'],
    ];
    const byOurNames = [
      ...['query/costly-values.ts: questions', 'query/limits.ts: tablesOfViews'],
      ...['query/functions/conversion.ts: toText', 'query/functions/conversion.ts: fromAny'],
      // Names of methods that were found.
      'query/v2/resolve-chain.ts: takes',
    ];
    expect(inheriting.sort()).toEqual([...bySigns, ...byOurNames].sort());
  });

  it('that keep what clients ask for keep so many bytes, or so many of what has a bound of its own', () => {
    const caches = sources.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/new LRUCache(?:<[^(]*>)?\(([^;]*?)\)?;/g)]
        .filter(([, options]) => !/\bmaxSize\b|\bkeptTexts\(|\.\.\.remembered\b/.test(options!))
        .map(() => relative(src, file)),
    );
    const numbersAndHashes = [
      ...['auth/guessing-clients.ts', 'auth/guessing-clients.ts', 'auth/guessing-clients.ts', 'auth/last-uses.ts'],
      ...['auth/passwords.ts', 'auth/proven-logins.ts', 'auth/proven-logins.ts', 'auth/rate-limit.ts'],
      ...['database/connection-scheduler.ts', 'http/write-positions.ts', 'turns/recent-times.ts'],
    ];
    const accountsAndRights = ['auth/rights-history.ts', 'auth/ttl-cache.ts', 'http/contexts.ts'];
    const headers = ['http/content-coding.ts', 'http/format.ts'];
    // Texts of columns that the model has.
    const writes = ['command/lock.ts', 'command/store.ts'];
    expect(caches.sort()).toEqual([...numbersAndHashes, ...accountsAndRights, ...headers, ...writes].sort());
  });

  it('of entities: each is mapped, and each that is a resource is served by a module', () => {
    const declared = sources
      .filter((file) => file.endsWith('.entity.ts'))
      .map((file) => readFileSync(file, 'utf8'))
      .map((text) => ({
        name: /^export (?:abstract )?class (\w+)/m.exec(text)![1]!,
        isServed: text.includes('@Resource('),
      }));
    const names = (list: readonly unknown[]) => new Set(list.map((entity) => (entity as { name: string }).name));
    const [mapped, served] = [names(entities), names(resourceEntities)];
    expect(declared.filter(({ name, isServed }) => !mapped.has(name) || (isServed && !served.has(name)))).toEqual([]);
  });
});

describe('the model', () => {
  const model = buildModel(resourceEntities);

  it('finds no inherited member of an object', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      expect(model.collection(name)).toBeUndefined();
      for (const resource of model.resources) expect(resource.field(name)).toBeUndefined();
    }
  });

  it('gives no two fields of a resource one name', () => {
    for (const resource of model.resources) {
      const names = resource.fields.map((field) => field.name.toLowerCase());
      expect(new Set(names).size, resource.name).toBe(names.length);
    }
  });

  it('has no readable path to a password', () => {
    for (const resource of model.resources) {
      for (const field of resource.fields) {
        // A number or a flag holds no secret.
        if (field.kind === 'scalar' && /^(integer|flag)$/.test(field.scalar)) continue;
        if (/password|hash|token/i.test(field.name)) expect(field).toMatchObject({ isWriteOnly: true });
      }
    }
  });
});

describe('the running service', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('has a schema that entities and migrations agree on, but for what is listed with its reason', async () => {
    const [{ url }] = await app.rows('select current_database() as url');
    const options = (app.database as unknown as { options: { connectionString: string } }).options;
    expect(options.connectionString).toContain(url);
    const dataSource = await createDataSource(options.connectionString, { timeZone: 'UTC', entities }).initialize();
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    await dataSource.destroy();
    const differences = upQueries.map(({ query }) => query.replace('"public".', '').replace(/\s+/g, ' ').trim());
    const waived = readFileSync(join(root, 'test/schema-differences.txt'), 'utf8').split('\n');
    expect(differences.sort()).toEqual(waived.filter((line) => line !== '' && !line.startsWith('#')).sort());
  });

  it('asks for credentials on every route but the public ones', async () => {
    const routes = app.nest.getHttpAdapter().getInstance().printRoutes({ commonPrefix: false });
    const paths = [...new Set([...routes.matchAll(/(\/[^\s(]*) \(/g)].map(([, path]) => path!))];
    const model = buildModel(resourceEntities);
    const everything = [
      ...model.collectionNames.flatMap((name) => [`/api/v1/${name}`, `/api/v1/${name}/1`, `/api/v1/${name}/meta`]),
      '/api/v1/Users/LoggedUser',
      '/api/v1/Context',
      '/api/v1/Authentication',
      '/api/v1/Index/meta',
      '/api/v1/meta',
      '/api/v1/nothing',
      '/api',
      '/api/v2/UserStory',
      '/api/deleteditems/v1/projects',
      '/api/deleteditems/v1/users',
      '/api/deleteditems/v1/projects/1/restore',
      '/api/deleteditems/v1/users/1/restore',
      '/api/deletedprojects/v1',
      '/api/v1/undelete',
      '/api/v1/undelete/bulk',
      '/Attachment.aspx?AttachmentID=1',
      '/AttachmentThumbnail.aspx?AttachmentID=1',
      '/UploadFile.ashx',
      '/avatar.ashx?UserID=1',
      '/entity/1',
      '/mcp',
    ];
    expect(paths.length).toBeGreaterThan(0);
    for (const path of everything) {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
        const { status } = await app.ask(path, { as: 'nobody', method });
        expect(`${method} ${path} ${status}`).toMatch(/ (401|404|405)$/);
        if (path.startsWith('/api')) expect(`${method} ${path} ${status}`).toMatch(/ 401$/);
      }
    }
  });
});

/** Versions run side by side, so what an upgrade locks for long stops the requests of the one that still serves. */
describe('migrations after the baseline', () => {
  const folder = join(src, 'database/migrations');
  const apart = /^(?:0\.2\/.*|(?:baseline|index-migration|migrations)\.ts)$/;
  const later = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => /\.(?:ts|sql)$/.test(name) && !apart.test(name),
  );

  /** Indexes of tables that the same migration makes have no rows to read. */
  const lockingIndexes = (text: string): string[] => {
    const own = new Set([...text.matchAll(/create table (?:if not exists )?(\w+)/gi)].map(([, table]) => table));
    return [...text.matchAll(/create (?:unique )?index (?:if not exists )?(\w+) on "?(\w+)/gi)]
      .filter(([, , table]) => !own.has(table))
      .map(([, index]) => index!);
  };

  it.each<[string, string[]]>([
    ['create index ix_a on general (name)', ['ix_a']],
    ['CREATE UNIQUE INDEX uq_a ON "general" (name); create index ix_b on general (name)', ['uq_a', 'ix_b']],
    ['create table made (id int); create index ix_a on made (id)', []],
    ["indexes = [{ name: 'ix_a', on: 'general (name)' }]", []],
  ])('%j locks %j', (text, indexes) => expect(lockingIndexes(text)).toEqual(indexes));

  it('add indexes to tables with rows as an IndexMigration', () => {
    const locking = later.map((name) => [name, lockingIndexes(readFileSync(join(folder, name), 'utf8'))]);
    expect(locking.filter(([, indexes]) => indexes!.length > 0)).toEqual([]);
  });

  it('drop nothing that whoever writes meanwhile may be about to use', () => {
    // Undoing one is for a service that stands still. Nobody but migrations uses the list of what is left to renew.
    const undoing = '0.3/related-columns.sql';
    const dropped = later.flatMap((name) => {
      if (name === undoing) return [];
      const [up] = readFileSync(join(folder, name), 'utf8').split('async down(');
      return (
        up!.match(/\bdrop (?:function|table|column|trigger|type|view|constraint)\b(?! if exists renewal_left)/gi) ?? []
      );
    });
    expect(dropped).toEqual([]);
  });
});
