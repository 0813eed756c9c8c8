/** What could stand at a place: fields of a path, or fields, operators and values in the text of `where`. */

import { quoted } from './spell.js';
import { valueKind } from './value-kind.js';
import { operators } from './where-rows.js';
import { whereTokens } from './where-tokens.js';

/**
 * @typedef {import('./metadata.js').Field} Field
 * @typedef {import('./where-tokens.js').Token} Token
 * @typedef {{ text: string, label: string, note: string, isPartial?: boolean }} Option
 * `text` is what is put in; after a partial one, more is to be chosen.
 * @typedef {{ from: number, to: number, options: Option[] }} Completion the options stand for the text between the
 * places
 * @typedef {{
 *   fieldsAt(names: readonly string[]): Promise<Field[]>,
 *   fieldAt(path: string): Promise<Field | undefined>,
 *   valuesOf(path: string, typed: string): Promise<string[]>,
 *   choices: Record<string, readonly string[]>,
 * }} Schema
 */

/**
 * What starts with what was said comes first, then what holds it. @template {{ label: string }} T @param {readonly T[]}
 * options @param {string} prefix
 */
export function matching(options, prefix) {
  const sought = prefix.toLowerCase();
  /** @param {T} option */
  const rank = ({ label }) => {
    const at = label.toLowerCase().indexOf(sought);
    return at <= 0 ? at : 1;
  };
  return options.filter((option) => rank(option) >= 0).sort((one, other) => rank(one) - rank(other));
}

/**
 * Fields that a path could go on with; `input` may be a path of several names.
 * @param {string} input
 * @param {Pick<Schema, 'fieldsAt'>} schema
 * @param {(field: Field) => boolean} isWanted
 * @returns {Promise<Option[]>}
 */
export async function completePath(input, { fieldsAt }, isWanted = () => true) {
  const at = input.lastIndexOf('.') + 1;
  const before = input.slice(0, at);
  const fields = await fieldsAt(before.split('.').filter(Boolean));
  const options = fields
    .filter((field) => isWanted(field) && !field.isDeprecated)
    .map((field) => optionOf(before, field));
  return matching(options, input.slice(at));
}

/** @param {string} before @param {Field} field @returns {Option} */
function optionOf(before, { name, kind, type }) {
  if (kind === 'value') return { text: before + name, label: name, note: type };
  return {
    text: `${before}${name}.`,
    label: name,
    note: kind === 'reference' ? `${type} ›` : `any of ${type} ›`,
    isPartial: true,
  };
}

/**
 * @typedef {{ expects: 'path' | 'operator' | 'value' | 'list' | 'listGoesOn' | 'joiner', path: string, words: string[]
 * }} Place
 */

/** @param {string} text @param {number} caret @param {Schema} schema @returns {Promise<Completion>} */
export async function completeWhere(text, caret, schema) {
  const tokens = whereTokens(text);
  const current = tokens.find(
    ({ from, to, kind, isOpen }) => from < caret && (caret < to || (caret === to && (kind === 'word' || isOpen))),
  );
  const before = tokens.filter((token) => token !== current && token.to <= caret);
  const place = placeAfter(before);
  const prefix = current ? text.slice(current.from, caret) : '';
  // Operators of several words are completed as a whole.
  const first = place.words.length > 0 ? before.at(-place.words.length) : current;
  return {
    from: first?.from ?? caret,
    to: Math.max(current?.to ?? caret, caret),
    options: await optionsAt(place, prefix, schema),
  };
}

/** @param {Place} place @param {string} prefix @param {Schema} schema @returns {Promise<Option[]>} */
async function optionsAt({ expects, path, words }, prefix, schema) {
  switch (expects) {
    case 'path':
      return (await completePath(prefix.replace(/^['"]/, ''), schema)).map(spelledPath);
    case 'operator': {
      const field = await schema.fieldAt(path);
      const kind = field?.kind === 'value' ? valueKind(field.type, schema.choices) : undefined;
      const fitting =
        field && !kind
          ? operators.filter(({ takes }) => takes === 'none')
          : operators.filter(({ kinds }) => !kind || kinds.includes(kind));
      const options = fitting.map(({ name, words: note }) => ({
        text: `${name} `,
        label: name,
        note,
        isPartial: true,
      }));
      const whole = [...words, prefix].join(' ').toLowerCase();
      return options.filter(({ label }) => label.startsWith(whole));
    }
    case 'value':
    case 'list':
      return valueOptions(path, prefix, schema, expects === 'list' ? '' : ' ');
    case 'listGoesOn':
      return [];
    case 'joiner':
      return matching(
        [
          { text: 'and ', label: 'and', note: 'both hold', isPartial: true },
          { text: 'or ', label: 'or', note: 'one of them holds', isPartial: true },
        ],
        prefix,
      );
  }
}

/** A name with white space stands in quotes, with its whole path. @param {Option} option @returns {Option} */
const spelledPath = (option) =>
  option.isPartial
    ? option
    : { ...option, text: `${/\s/.test(option.text) ? quoted(option.text) : option.text} `, isPartial: true };

/**
 * @param {string} path @param {string} prefix @param {Schema} schema @param {string} after @returns {Promise<Option[]>}
 */
async function valueOptions(path, prefix, schema, after) {
  const field = await schema.fieldAt(path);
  const plain = prefix.replace(/^['"]/, '');
  const values = field ? await fittingValues(field, path, plain, schema) : [];
  return matching(
    values.map((value) => ({ text: quoted(value) + after, label: value, note: '' })),
    plain,
  );
}

/**
 * @param {Field} field @param {string} path @param {string} prefix @param {Schema} schema @returns {Promise<readonly
 * string[]>}
 */
async function fittingValues(field, path, prefix, schema) {
  switch (valueKind(field.type, schema.choices)) {
    case 'flag':
      return ['true', 'false'];
    case 'choice':
      return schema.choices[field.type] ?? [];
    case 'moment':
      return ['Today'];
    case 'text':
      return schema.valuesOf(path, prefix);
    case 'number':
      return [];
  }
}

/** What the text before the caret leads to. @param {readonly Token[]} tokens @returns {Place} */
function placeAfter(tokens) {
  /** @type {Place} */
  let place = { expects: 'path', path: '', words: [] };
  for (const token of tokens) place = next(place, token);
  return place;
}

/** @param {Place} place @param {Token} token @returns {Place} */
function next(place, { kind, text, value }) {
  const word = kind === 'quoted' ? '' : text.toLowerCase();
  switch (place.expects) {
    case 'path':
      return word === '(' || word === 'not' ? place : { expects: 'operator', path: value, words: [] };
    case 'operator': {
      const words = [...place.words, word];
      const operator = operators.find(({ name }) => name === words.join(' '));
      if (!operator) return words.length < 3 ? { ...place, words: words } : { ...place, expects: 'joiner', words: [] };
      const expects = /** @type {const} */ ({ none: 'joiner', one: 'value', list: 'list' })[operator.takes];
      return { ...place, expects, words: [] };
    }
    case 'list':
      return word === '(' ? place : { ...place, expects: 'listGoesOn' };
    case 'listGoesOn':
      return { ...place, expects: word === ',' ? 'list' : 'joiner' };
    case 'value':
      return { ...place, expects: 'joiner' };
    case 'joiner':
      return word === ')' ? place : { expects: 'path', path: '', words: [] };
  }
}
