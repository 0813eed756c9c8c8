/**
 * The table of hostile rows (README.md beside this): each is shown by specs that name it in a title, or the table says
 * why not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');

interface Row {
  name: string;
  /** Files from the root of the repository. */
  specs: string[];
  /** What is said in place of specs, or beside them. */
  words: string;
}

const rows: Row[] = [
  ...readFileSync(join(here, 'README.md'), 'utf8').matchAll(/^\| ([A-F]\d+) \| [^|]+ \| ([^|]+) \|$/gm),
].map(([, name, shown]) => ({
  name: name!,
  specs: [...shown!.matchAll(/`([^`]+)`/g)].map(
    ([, spec]) => `test/${spec}.${/^(faults|sql)/.test(spec!) ? '' : 'api-'}spec.ts`,
  ),
  words: shown!.replace(/`[^`]+`/g, '').trim(),
}));

/** How many rows each letter has. */
const letters = { A: 22, B: 32, C: 33, D: 16, E: 24, F: 32 };
const names = Object.entries(letters).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, at) => `${letter}${at + 1}`),
);

/** `A1: …` and `A1, A2: …` in titles, `A1` in the cases of a table. */
const rowsNamedIn = (file: string): Set<string> =>
  new Set(
    [...readFileSync(join(root, file), 'utf8').matchAll(/['"`]((?:[A-F]\d+, )*[A-F]\d+)(?:: |['"`])/g)].flatMap(
      ([, list]) => list!.split(', '),
    ),
  );

describe('the table of hostile rows', () => {
  it('has a line for every row, in order', () => {
    expect(rows.map(({ name }) => name)).toEqual(names);
  });

  it.each(rows)('$name is named by its specs, or has a reason for having none', ({ name, specs, words }) => {
    for (const spec of specs) expect([spec, rowsNamedIn(spec).has(name)]).toEqual([spec, true]);
    if (specs.length === 0) expect(words).toMatch(/\w+ \w+/);
  });

  it('lists every spec here that names a row', () => {
    const specs = readdirSync(here).filter((file) => file.endsWith('.api-spec.ts'));
    const listed = new Set(rows.flatMap(({ name, specs: shown }) => shown.map((spec) => `${name} ${spec}`)));
    const named = specs
      .map((file) => relative(root, join(here, file)))
      .flatMap((file) => [...rowsNamedIn(file)].map((name) => `${name} ${file}`));
    expect(named.filter((one) => !listed.has(one))).toEqual([]);
  });
});
