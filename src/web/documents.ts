/**
 * The texts of this repository that are served as pages, from one fixed table: what an address says is looked up in it
 * and never reaches the file system. The files lie in the folder of the package, in the image as well.
 */
import { readFile } from 'node:fs/promises';
import { installation } from '../server/installation.js';
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
];

const byName = new Map(documents.map((one) => [one.name, one]));

export const documentNamed = (name: string): DocumentEntry | undefined => byName.get(name.toLowerCase());

export const documentAddress = (root: string, name: string): string => `${root}/documentation/${name}`;

const rendered = new Map<string, Promise<RenderedDocument>>();

/**
 * Rendered at the first call and kept. `root` is where the service is reachable: a matter of its settings, so there are
 * few.
 */
export function documentOf(entry: DocumentEntry, root: string): Promise<RenderedDocument> {
  const key = `${root} ${entry.name}`;
  const html = rendered.get(key) ?? render(entry, root);
  rendered.set(key, html);
  // What could not be read is tried again.
  html.catch(() => rendered.delete(key));
  return html;
}

async function render(entry: DocumentEntry, root: string): Promise<RenderedDocument> {
  // With it comes the library for Markdown: a service whose pages nobody reads does without it.
  const [text, { renderDocument }] = await Promise.all([
    readFile(new URL(entry.file, installation), 'utf8'),
    import('./document.js'),
  ]);
  return renderDocument(text, (href) => addressFrom(entry, href, root));
}

const invented = 'repository:///';

/**
 * Where a link in a text leads to: a place in it, another text that is served, or another site; nowhere, if none of
 * these.
 */
function addressFrom({ file }: DocumentEntry, href: string, root: string): string | undefined {
  if (href.startsWith('#') || /^https?:\/\//.test(href)) return href;
  if (!URL.canParse(href, invented + file)) return undefined;
  const { href: target, hash } = new URL(href, invented + file);
  const entry = documents.find((one) => target === invented + one.file + hash);
  return entry && documentAddress(root, entry.name) + hash;
}
