/**
 * The texts of this repository that are served as pages, and the pictures in them, from fixed tables: what an address
 * says is looked up there and never reaches the file system. The files lie in the folder of the package, in the image
 * as well.
 */
import { readFile } from 'node:fs/promises';
import { installation } from '../runtime/installation.js';
import type { RenderedDocument } from './document.js';

export interface DocumentEntry {
  /** As the address has it. */
  name: string;
  /** From the root of the repository. */
  file: string;
  title: string;
  gist: string;
}

export const documents: readonly DocumentEntry[] = [
  {
    name: 'readme',
    file: 'README.md',
    title: 'First steps',
    gist: 'Start it, a short tour with curl, and every setting.',
  },
  {
    name: 'contract',
    file: 'docs/contract.md',
    title: 'The API',
    gist: 'What version 1 answers, chapter by chapter: reading, errors, callers, writing, metadata.',
  },
  {
    name: 'errors',
    file: 'docs/errors.md',
    title: 'Errors',
    gist: 'The shape of a refusal, and every code that it may have.',
  },
  {
    name: 'query-v2',
    file: 'docs/query-v2.md',
    title: 'Version 2',
    gist: 'Its query language by example: conditions, projections, sums and groups.',
  },
  {
    name: 'openapi',
    file: 'docs/openapi.md',
    title: 'OpenAPI and formats',
    gist: 'A description of every operation for programs, and what lists look like besides JSON and XML.',
  },
  {
    name: 'agents',
    file: 'docs/agents.md',
    title: 'Agents',
    gist: 'The tools of agents by the Model Context Protocol: how to connect one, and what it can do.',
  },
  {
    name: 'sync',
    file: 'docs/sync.md',
    title: 'Keeping a copy',
    gist: 'A nightly job that finds every change and every deletion.',
  },
  {
    name: 'operations',
    file: 'docs/operations.md',
    title: 'Running it',
    gist: 'Databases, containers, backup, single sign-on, health and logs.',
  },
  {
    name: 'cluster',
    file: 'docs/cluster.md',
    title: 'More than one machine',
    gist: 'What comes of one fault after another, and how much a service of each size needs.',
  },
  {
    name: 'architecture',
    file: 'docs/architecture.md',
    title: 'How it is built',
    gist: 'The way of a request, the model, and what the database does.',
  },
  {
    name: 'performance',
    file: 'docs/performance.md',
    title: 'How fast it is',
    gist: 'Where the time of a request goes, why, and what falls short.',
  },
  {
    name: 'reliability',
    file: 'docs/reliability.md',
    title: 'How it is tested',
    gist: 'Random requests beside a naive reading of all rows: how to run more of them, and what they found.',
  },
  {
    name: 'adding-a-field',
    file: 'docs/adding-a-field.md',
    title: 'Adding a field',
    gist: 'One line and a migration, by example.',
  },
  {
    name: 'adding-a-resource',
    file: 'docs/adding-a-resource.md',
    title: 'Adding a resource',
    gist: 'An entity, a controller and a migration, by example.',
  },
  {
    name: 'adding-an-operator',
    file: 'docs/adding-an-operator.md',
    title: 'Adding an operator',
    gist: 'One row of a table gives both versions a comparison, a function or an aggregate.',
  },
  {
    name: 'licences',
    file: 'docs/licences.md',
    title: 'Licences',
    gist: 'Of every package that the service runs with.',
  },
];

const byName = new Map(documents.map((one) => [one.name, one]));

export const documentNamed = (name: string): DocumentEntry | undefined => byName.get(name.toLowerCase());

/** Of `docs/pictures`. */
export const pictures: readonly string[] = ['query.png', 'api.png'];

const folderOfPictures = 'docs/pictures/';

export const documentAddress = (root: string, name: string): string => `${root}/documentation/${name}`;

const pictureAddress = (root: string, name: string): string => `${root}/documentation/pictures/${name}`;

const rendered = new Map<string, Promise<RenderedDocument>>();

/**
 * Rendered at the first call and kept. `root` is where the service is reachable: a matter of its settings, so there are
 * few.
 */
export function documentOf(entry: DocumentEntry, root: string): Promise<RenderedDocument> {
  return kept(rendered, `${root} ${entry.name}`, () => render(entry, root));
}

/** What could not be read is tried again. */
function kept<T>(values: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const value = values.get(key) ?? make();
  values.set(key, value);
  value.catch(() => values.delete(key));
  return value;
}

async function render(entry: DocumentEntry, root: string): Promise<RenderedDocument> {
  // With it comes the library for Markdown: a service whose pages nobody reads does without it.
  const [text, { renderDocument }] = await Promise.all([
    readFile(new URL(entry.file, installation), 'utf8'),
    import('./document.js'),
  ]);
  return renderDocument(text, {
    ofLink: (href) => addressFrom(entry, href, root),
    ofPicture: (src) => pictureFrom(entry, src, root),
  });
}

const bytesOfPictures = new Map<string, Promise<Buffer>>();

/** Read at the first call and kept. Undefined: it is none of them. */
export const pictureNamed = (name: string): Promise<Buffer> | undefined =>
  pictures.includes(name)
    ? kept(bytesOfPictures, name, () => readFile(new URL(folderOfPictures + name, installation)))
    : undefined;

const invented = 'repository:///';

/**
 * Where a link in a text leads to: a place in it, another text that is served, or another site; nowhere, if none of
 * these.
 */
function addressFrom(entry: DocumentEntry, href: string, root: string): string | undefined {
  if (href.startsWith('#') || /^https?:\/\//.test(href)) return href;
  const { place, hash } = placeFrom(entry, href);
  const target = documents.find(({ file }) => invented + file === place);
  return target && documentAddress(root, target.name) + hash;
}

/** Of a picture that is served. */
function pictureFrom(entry: DocumentEntry, src: string, root: string): string | undefined {
  const { place } = placeFrom(entry, src);
  const name = pictures.find((one) => invented + folderOfPictures + one === place);
  return name && pictureAddress(root, name);
}

function placeFrom({ file }: DocumentEntry, href: string): { place?: string; hash?: string } {
  if (!URL.canParse(href, invented + file)) return {};
  const { href: target, hash } = new URL(href, invented + file);
  return { place: target.slice(0, target.length - hash.length), hash };
}
