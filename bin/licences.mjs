/** Writes docs/licences.md: the packages that the service runs with, and under which licence each may be used. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('..', import.meta.url);

/** From the lock; what only tests and builds need is not passed on. */
export function licencesText() {
  const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8'));
  const used = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { license }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      licence: license ?? inTheirFiles[path],
    }));
  const byLicence = grouped(used);
  const sections = [...byLicence]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([licence, all]) => `## ${licence}\n\n${wrapped(names(all))}\n`);
  return `${head}\n${sections.join('\n')}`;
}

/** Of packages whose description does not name it. */
const inTheirFiles = {
  'node_modules/passport-http': 'MIT',
  'node_modules/passport-strategy': 'MIT',
  'node_modules/pause': 'MIT',
};

const head = `# Licences

Worktrack is under the licence in [LICENSE](../LICENSE). It runs with these packages, each under its own; \`node bin/licences.mjs\` makes this list of
\`package-lock.json\`. The embedded PostgreSQL is PostgreSQL itself, under the PostgreSQL licence. libvips (LGPL), which
sharp makes thumbnails with, is a library of its own that is loaded as it is: it may be replaced by another build.
`;

function grouped(used) {
  const groups = new Map();
  for (const { name, licence } of used) groups.set(licence, [...(groups.get(licence) ?? []), name]);
  return groups;
}

/** In lines of some 120 characters. */
const wrapped = (text) => text.replace(/(.{100,120}?,) /g, '$1\n');

const names = (all) => [...new Set(all)].sort().join(', ');

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(new URL('docs/licences.md', root), licencesText());
