/** What completion knows of the resource that is asked for. */
import { fieldNamed } from './metadata.js';
import { quoted } from './spell.js';

/**
 * @typedef {import('./complete.js').Schema} Schema
 * @typedef {import('./metadata.js').Metadata} Metadata
 * @typedef {import('./metadata.js').Resource} Resource
 */

/** Texts worth offering: short ones that many entities share or are known by. */
const offered = new Set(['name', 'firstname', 'lastname', 'login', 'abbreviation']);

/**
 * @param {Metadata} metadata
 * @param {Resource} resource
 * @param {Record<string, readonly string[]>} choices
 * @returns {Schema}
 */
export function schemaOf(metadata, resource, choices) {
  /**
   * The values that entities at the end of the path have, as far as the caller sees them. @param {string} path @param
   * {string} prefix
   */
  async function valuesOf(path, prefix) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    if (names.length === 0 || !offered.has(last.toLowerCase())) return [];
    const owner = fieldNamed(await metadata.fieldsAt(resource, names.slice(0, -1)), names.at(-1) ?? '');
    if (!owner || owner.kind === 'value') return [];
    const filter = prefix === '' ? '' : `&where=${encodeURIComponent(`${last} contains ${quoted(prefix)}`)}`;
    const { Items } = await metadata.read(`${owner.collection}?format=json&take=100&include=[${last}]${filter}`);
    // Besides the field asked for, an item holds its Id and its type.
    const values = Items.map((/** @type {Record<string, unknown>} */ item) => valueNamed(item, last));
    return [...new Set(values.filter((/** @type {unknown} */ value) => typeof value === 'string' && value !== ''))];
  }

  return {
    fieldsAt: (names) => metadata.fieldsAt(resource, names),
    fieldAt: (path) => metadata.fieldAt(resource, path),
    valuesOf,
    choices,
  };
}

/** @param {Record<string, unknown>} item @param {string} name */
const valueNamed = (item, name) => Object.entries(item).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
