/** What the value of a condition is filled in with: a date, a number, a choice, or text with suggestions. */
import { combobox } from './combobox.js';
import { matching } from './complete.js';
import { element } from './dom.js';
import { valueKind } from './value-kind.js';
import { parseList, spellList } from './value-list.js';
import { operatorNamed } from './where-rows.js';

/**
 * @typedef {import('./complete.js').Schema} Schema
 * @typedef {import('./where-rows.js').Row} Row
 */

/**
 * @param {Row} row
 * @param {import('./metadata.js').Field | undefined} field
 * @param {Schema} schema
 * @param {() => void} changed
 * @returns {HTMLElement}
 */
export function valueField(row, field, schema, changed) {
  if (operatorNamed(row.operator).takes === 'list') return listField(row, changed);
  row.values = row.values.slice(0, 1);
  const [value = ''] = row.values;
  const kind = field?.kind === 'value' ? valueKind(field.type, schema.choices) : undefined;
  const choices = kind === 'flag' ? ['true', 'false'] : field && schema.choices[field.type];
  const isChoice = choices && (value === '' || choices.some((choice) => choice.toLowerCase() === value.toLowerCase()));
  if (isChoice) return choiceField(choices, row, changed);
  if (kind === 'moment' && /^(\d{4}-\d\d-\d\d)?$/.test(value)) return inputField('date', row, changed);
  if (kind === 'number' && /^(-?\d+(\.\d+)?)?$/.test(value)) return inputField('number', row, changed);
  return textField(row, schema, changed);
}

/** @param {'date' | 'number'} type @param {Row} row @param {() => void} changed */
function inputField(type, row, changed) {
  const field = element('input', {
    type,
    'aria-label': 'Value',
    value: row.values[0],
    step: type === 'number' ? 'any' : undefined,
  });
  field.addEventListener('input', () => {
    row.values = [field.value];
    changed();
  });
  return field;
}

/** @param {readonly string[]} choices @param {Row} row @param {() => void} changed */
function choiceField(choices, row, changed) {
  const text = row.values[0]?.toLowerCase() ?? '';
  const options = choices.map((choice) =>
    element('option', { value: choice, selected: choice.toLowerCase() === text }, choice),
  );
  const field = element('select', { 'aria-label': 'Value' }, element('option', { value: '' }, 'choose'), ...options);
  field.addEventListener('change', () => {
    row.values = [field.value];
    changed();
  });
  return field;
}

/** Values of a list stand between commas. @param {Row} row @param {() => void} changed */
function listField(row, changed) {
  const field = element('input', {
    'aria-label': 'Values, with commas between',
    placeholder: 'one, another',
    value: spellList(row.values),
    autocomplete: 'off',
  });
  field.addEventListener('input', () => {
    row.values = parseList(field.value);
    changed();
  });
  return field;
}

/** @param {Row} row @param {Schema} schema @param {() => void} changed */
function textField(row, schema, changed) {
  const field = element('input', { 'aria-label': 'Value', value: row.values[0] });
  return combobox(field, {
    complete: async (text) => {
      const values = await schema.valuesOf(row.path, text);
      const options = values.map((value) => ({ text: value, label: value, note: '' }));
      return { from: 0, to: text.length, options: matching(options, text) };
    },
    changed: () => {
      row.values = [field.value];
      changed();
    },
    isOpenOnFocus: true,
  }).frame;
}
