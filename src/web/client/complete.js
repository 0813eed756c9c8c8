/** What could stand at a place: fields of a path, or fields, operators and values in the text of `where`. */
import { valueKind } from './value-kind.js';
import { operators, quoted } from './where-rows.js';
import { whereTokens } from './where-tokens.js';

/**
 * @typedef {import('./metadata.js').Field} Field
 * @typedef {import('./where-tokens.js').Token} Token
 * @typedef {{ text: string, label: string, note: string, isPartial?: boolean }} Option
 * `text` is what is put in; after a partial one, more is to be chosen.
 * @typedef {{ from: number, to: number, options: Option[] }} Completion the options stand for the text between the places
 * @typedef {{
 *   fieldsAt(names: readonly string[]): Promise<Field[]>,
 *   fieldAt(path: string): Promise<Field | undefined>,
 *   valuesOf(path: string, said: string): Promise<string[]>,
 *   choices: Record<string, readonly string[]>,
 * }} Known
 */

/** What starts with what was said comes first, then what holds it. @template {{ label: string }} T @param {readonly T[]} options @param {string} said */
export function matching(options, said) {
  const sought = said.toLowerCase();
  /** @param {T} option */
  const rank = ({ label }) => {
    const at = label.toLowerCase().indexOf(sought);
    return at <= 0 ? at : 1;
  };
  return options.filter((option) => rank(option) >= 0).sort((one, other) => rank(one) - rank(other));
}

/**
 * Fields that a path could go on with; `said` may be a path of several names.
 * @param {string} said
 * @param {Pick<Known, 'fieldsAt'>} known
 * @param {(field: Field) => boolean} isWanted
 * @returns {Promise<Option[]>}
 */
export async function completePath(said, { fieldsAt }, isWanted = () => true) {
  const at = said.lastIndexOf('.') + 1;
  const before = said.slice(0, at);
  const fields = await fieldsAt(before.split('.').filter(Boolean));
  const options = fields
    .filter((field) => isWanted(field) && !field.isDeprecated)
    .map((field) => optionOf(before, field));
  return matching(options, said.slice(at));
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

/** @typedef {{ expects: 'path' | 'operator' | 'value' | 'list' | 'listGoesOn' | 'joiner', path: string, said: string[] }} Place */

/** @param {string} text @param {number} caret @param {Known} known @returns {Promise<Completion>} */
export async function completeWhere(text, caret, known) {
  const tokens = whereTokens(text);
  const current = tokens.find(
    ({ from, to, kind, isOpen }) => from < caret && (caret < to || (caret === to && (kind === 'word' || isOpen))),
  );
  const before = tokens.filter((token) => token !== current && token.to <= caret);
  const place = placeAfter(before);
  const said = current ? text.slice(current.from, caret) : '';
  // Operators of several words are completed as a whole.
  const first = place.said.length > 0 ? before.at(-place.said.length) : current;
  return {
    from: first?.from ?? caret,
    to: Math.max(current?.to ?? caret, caret),
    options: await optionsAt(place, said, known),
  };
}

/** @param {Place} place @param {string} said @param {Known} known @returns {Promise<Option[]>} */
async function optionsAt({ expects, path, said: words }, said, known) {
  switch (expects) {
    case 'path':
      return (await completePath(said.replace(/^['"]/, ''), known)).map(spelledPath);
    case 'operator': {
      const field = await known.fieldAt(path);
      const kind = field?.kind === 'value' ? valueKind(field.type, known.choices) : undefined;
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
      const whole = [...words, said].join(' ').toLowerCase();
      return options.filter(({ label }) => label.startsWith(whole));
    }
    case 'value':
    case 'list':
      return valueOptions(path, said, known, expects === 'list' ? '' : ' ');
    case 'listGoesOn':
      return [];
    case 'joiner':
      return matching(
        [
          { text: 'and ', label: 'and', note: 'both hold', isPartial: true },
          { text: 'or ', label: 'or', note: 'one of them holds', isPartial: true },
        ],
        said,
      );
  }
}

/** A name with white space stands in quotes, with its whole path. @param {Option} option @returns {Option} */
const spelledPath = (option) =>
  option.isPartial
    ? option
    : { ...option, text: `${/\s/.test(option.text) ? quoted(option.text) : option.text} `, isPartial: true };

/** @param {string} path @param {string} said @param {Known} known @param {string} after @returns {Promise<Option[]>} */
async function valueOptions(path, said, known, after) {
  const field = await known.fieldAt(path);
  const plain = said.replace(/^['"]/, '');
  const values = field ? await fittingValues(field, path, plain, known) : [];
  return matching(
    values.map((value) => ({ text: quoted(value) + after, label: value, note: '' })),
    plain,
  );
}

/** @param {Field} field @param {string} path @param {string} said @param {Known} known @returns {Promise<readonly string[]>} */
async function fittingValues(field, path, said, known) {
  switch (valueKind(field.type, known.choices)) {
    case 'flag':
      return ['true', 'false'];
    case 'choice':
      return known.choices[field.type] ?? [];
    case 'moment':
      return ['Today'];
    case 'text':
      return known.valuesOf(path, said);
    case 'number':
      return [];
  }
}

/** What the text before the caret leads to. @param {readonly Token[]} tokens @returns {Place} */
function placeAfter(tokens) {
  /** @type {Place} */
  let place = { expects: 'path', path: '', said: [] };
  for (const token of tokens) place = next(place, token);
  return place;
}

/** @param {Place} place @param {Token} token @returns {Place} */
function next(place, { kind, text, value }) {
  const word = kind === 'quoted' ? '' : text.toLowerCase();
  switch (place.expects) {
    case 'path':
      return word === '(' || word === 'not' ? place : { expects: 'operator', path: value, said: [] };
    case 'operator': {
      const said = [...place.said, word];
      const operator = operators.find(({ name }) => name === said.join(' '));
      if (!operator) return said.length < 3 ? { ...place, said } : { ...place, expects: 'joiner', said: [] };
      const expects = /** @type {const} */ ({ none: 'joiner', one: 'value', list: 'list' })[operator.takes];
      return { ...place, expects, said: [] };
    }
    case 'list':
      return word === '(' ? place : { ...place, expects: 'listGoesOn' };
    case 'listGoesOn':
      return { ...place, expects: word === ',' ? 'list' : 'joiner' };
    case 'value':
      return { ...place, expects: 'joiner' };
    case 'joiner':
      return word === ')' ? place : { expects: 'path', path: '', said: [] };
  }
}
