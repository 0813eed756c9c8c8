/** The files that documents name are there: in the repository, at a path that ends as the document says. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const folders = ['src', 'test', 'docs', 'bin', 'bench', 'siege', 'cluster', 'examples', 'deploy'];
const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `/${join(folder, file)}`),
);

/** Examples, what is built, and what others make. */
const elsewhere = [
  ...['review-date.ts', 'src/modules/projects/risk.entity.ts', 'src/modules/assignables/hazard.entity.ts'],
  ...['main.js', 'worker.js', 'cli/main.js', 'manifest.json', '.vscode/mcp.json', '.cursor/mcp.json'],
  '/api/openapi.json',
];

const documents = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'examples/README.md', 'siege/README.md'],
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
];

it.each(documents)('%s names files that there are', (document) => {
  const text = readFileSync(join(root, document), 'utf8');
  const named = [...text.matchAll(/`([\w./-]+\.(?:ts|mts|mjs|js|sql|json|txt|ya?ml|md|sh|py))`/g)].map(
    ([, name]) => name!,
  );
  const missing = named.filter(
    (name) =>
      !elsewhere.includes(name) && !existsSync(join(root, name)) && !files.some((file) => file.endsWith(`/${name}`)),
  );
  expect(missing).toEqual([]);
});
