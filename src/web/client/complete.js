/** What could stand at a place: fields of a path, or fields, operators and values in the text of `where`. */
import { quoted } from './spell.js';
import { valueKind } from './value-kind.js';
import { operators } from './where-rows.js';

/**
 * @typedef {import('./metadata.js').Field} Field
 * @typedef {import('./service.js').Place} Place
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

/** @param {Place | undefined} place @param {number} caret @param {Schema} schema @returns {Promise<Completion>} */
export async function completeWhere(place, caret, schema) {
  if (!place) return { from: caret, to: caret, options: [] };
  return { from: place.from, to: place.to, options: await optionsAt(place, schema) };
}

/** @param {Place} place @param {Schema} schema @returns {Promise<Option[]>} */
async function optionsAt({ wanted, path, typed }, schema) {
  switch (wanted) {
    case 'path':
      return (await completePath(typed.replace(/^['"]/, ''), schema)).map(spelledPath);
    case 'operator':
      return operatorOptions(await schema.fieldAt(path.join('.')), typed, schema);
    case 'value':
      return valueOptions(path.join('.'), typed, schema, ' ');
    case 'listValue':
      return valueOptions(path.join('.'), typed, schema, '');
    case 'opening':
      return matching([{ text: '(', label: '(', note: 'the first value', isPartial: true }], typed);
    case 'separator':
      return [];
    case 'joiner':
      return matching(
        [
          { text: 'and ', label: 'and', note: 'both hold', isPartial: true },
          { text: 'or ', label: 'or', note: 'one of them holds', isPartial: true },
        ],
        typed,
      );
  }
}

/** @param {Field | undefined} field @param {string} typed @param {Schema} schema @returns {Option[]} */
function operatorOptions(field, typed, schema) {
  const kind = field?.kind === 'value' ? valueKind(field.type, schema.choices) : undefined;
  const fitting =
    field && !kind
      ? operators.filter(({ takes }) => takes === 'none')
      : operators.filter(({ kinds }) => !kind || kinds.includes(kind));
  const words = typed.toLowerCase().replace(/\s+/g, ' ');
  return fitting
    .filter(({ name }) => name.startsWith(words))
    .map(({ name, words: note }) => ({ text: `${name} `, label: name, note, isPartial: true }));
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
