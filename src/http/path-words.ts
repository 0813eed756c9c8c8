/** The words that addresses of the service are made of, by which the log knows them. */
import type { Model } from '../model/model.js';

/** Names of resources, in each spelling that a path may have, and of their collections. */
export function pathWords({ resources }: Model): string[] {
  const spelled = resources.flatMap(({ name, collection, fields }) => [
    collection,
    name,
    `${name}s`,
    ...fields.flatMap((field) => (field.kind === 'collection' ? [field.name] : [])),
  ]);
  return spelled.flatMap(bothCases);
}

/** The words of a route, which Nest names with its parameters. */
export const wordsOf = (route: string): string[] =>
  route
    .split('/')
    .filter((segment) => /^[\w.:-]+$/.test(segment))
    .flatMap(bothCases);

const bothCases = (word: string): string[] => [word, word.toLowerCase()];
