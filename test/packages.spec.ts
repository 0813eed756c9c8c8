/**
 * The packages of the lock: each runs on the oldest Node.js that the service runs on, and none is bound to a registry.
 */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { licencesText } from '../bin/licences.mjs';

interface Package {
  version?: string;
  resolved?: string;
  engines?: { node?: string };
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'));
const lock: Record<string, Package> = read('package-lock.json').packages;
const installed = Object.entries(lock).filter(([path]) => path !== '');

const oldest = [20, 19, 0];

/**
 * Its releases before those that name Node.js 22 let through what browsers run (GHSA-x3q4-9hxx-gx8m). What it needs of
 * 22 is that `require` loads ES modules, which Node.js does from 20.19 on; the specs of rich text run it on that.
 */
const runsAllTheSame = ['node_modules/sanitize-html'];

const order = (a: readonly number[], b: readonly number[]): number =>
  a.map((part, at) => part - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;

/** A comparator such as `>=18`, `^20.19.0` or `20.x`. */
function allows(comparator: string): boolean {
  const [, operator, digits] = /^(>=|<=|>|<|\^|~|=)?v?([\dx*.]+)$/.exec(comparator) ?? [];
  if (digits === undefined) throw new Error(`a range of another form: ${comparator}`);
  const parts = digits
    .split('.')
    .filter((part) => /^\d+$/.test(part))
    .map(Number);
  const bound = [0, 1, 2].map((at) => parts[at] ?? 0);
  const isSame = (length: number): boolean => bound.slice(0, length).every((part, at) => part === oldest[at]);
  switch (operator) {
    case '>=':
      return order(oldest, bound) >= 0;
    case '>':
      return order(oldest, bound) > 0;
    case '<=':
      return order(oldest, bound) <= 0;
    case '<':
      return order(oldest, bound) < 0;
    case '^':
      return isSame(1) && order(oldest, bound) >= 0;
    case '~':
      return isSame(Math.min(parts.length, 2)) && order(oldest, bound) >= 0;
    default:
      return isSame(parts.length);
  }
}

const runsOnOldest = (range: string): boolean =>
  range.split('||').some((one) =>
    one
      .replace(/([<>=^~])\s+/g, '$1')
      .trim()
      .split(/\s+/)
      .every(allows),
  );

it.each<[string, boolean]>([
  ['>=18', true],
  ['>= 0.8', true],
  ['*', true],
  ['20 || >=22', true],
  ['^20.19.0 || >=22.12.0', true],
  ['^18 || ^20.20', false],
  ['>=22', false],
  ['>=14 <20', false],
  ['20.x', true],
])('%s: %s', (range, expected) => expect(runsOnOldest(range)).toBe(expected));

it('run on the oldest Node.js', () => {
  expect(read('package.json').engines.node).toBe(`>=${oldest.slice(0, 2).join('.')}`);
  const others = installed.filter(([, { engines }]) => engines?.node && !runsOnOldest(engines.node));
  expect(others.map(([path]) => path)).toEqual(runsAllTheSame);
});

it('hold no download addresses', () => {
  expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

/** Each may be used, changed and passed on with a product of any licence. */
const allowed = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'PSF-2.0',
  'Unlicense',
];

/** A library of its own that is loaded as it is: who passes the service on leaves it replaceable. */
const replaceable = 'LGPL-3.0-or-later';
const isReplaceable = (names: string): boolean => names.split(/,\s/).every((name) => name.startsWith('@img/sharp-'));

it('are under licences that allow every use, as the list of licences says', () => {
  const list: string = licencesText();
  const rows = [...list.matchAll(/^## (.+)\n\n((?:.+\n)+)/gm)];
  const others = rows.filter(([, licences, names]) =>
    licences!.split(' AND ').some((one) => !allowed.includes(one) && !(one === replaceable && isReplaceable(names!))),
  );
  expect(others.map(([row]) => row)).toEqual([]);
  expect(rows.length).toBeGreaterThan(0);
  expect(readFileSync(new URL('../docs/licences.md', import.meta.url), 'utf8')).toBe(list);
});
