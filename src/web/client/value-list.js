/** The values of a list as one line to edit: with commas between, and quotes around those that would else be cut. */
import { quoted } from './spell.js';

const pieces = /\s*(?:'((?:[^'\\]|\\.)*)'\s*(?=,|$)|([^,]*))(?:,|$)/gsy;

/** @param {string} text */
export function parseList(text) {
  /** @type {string[]} */
  const values = [];
  for (const [piece, inQuotes, bare = ''] of text.matchAll(pieces)) {
    values.push(inQuotes?.replace(/\\(['\\])/g, '$1') ?? bare.trim());
    if (!piece.endsWith(',')) break;
  }
  return values;
}

/** @param {readonly string[]} values */
export const spellList = (values) =>
  values.map((value) => (/^['\s]|,|\s$/.test(value) ? quoted(value) : value)).join(', ');
