/** Counts and totals of collections, `[Tasks-Count,Bugs-Effort-Sum]`, as a list that grows and shrinks. */
import { combobox } from './combobox.js';
import { matching } from './complete.js';
import { button, element } from './dom.js';
import { parseInclude, spellInclude } from './include-text.js';
import { fieldNamed } from './metadata.js';
import { valueKind } from './value-kind.js';

/**
 * @typedef {import('./complete.js').Option} Option
 * @typedef {import('./complete.js').Schema} Schema
 */

/**
 * @param {HTMLElement} place
 * @param {() => Schema | undefined} schemaNow
 * @param {(text: string) => void} changed
 */
export function appendEditor(place, schemaNow, changed) {
  /** @type {string[]} */
  let names = [];
  let isWellFormed = true;

  function draw() {
    const list = element('ul', { class: 'chips', 'aria-label': 'Chosen counts and totals' }, ...names.map(chipOf));
    const field = element('input', { id: 'append-field', placeholder: 'Tasks-Count' });
    const add = button('Add', () => take(field.value), { class: 'small' });
    const row = element('div', { class: 'joined' }, field, add);
    place.replaceChildren(list, element('label', { for: 'append-field' }, 'Count or total'), row);
    combobox(field, {
      complete: async (text) => ({ from: 0, to: text.length, options: await optionsFor(text, schemaNow()) }),
      changed: (isPicked) => {
        if (isPicked && isWhole(field.value)) take(field.value);
      },
      isOpenOnFocus: true,
    });
    field.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
      event.preventDefault();
      take(field.value);
    });
  }

  /** @param {string} input */
  function take(input) {
    const name = input.trim();
    if (!isWhole(name) || names.includes(name)) return;
    set([...names, name]);
    document.getElementById('append-field')?.focus();
  }

  /** @param {string[]} to */
  function set(to) {
    names = to;
    draw();
    changed(spellInclude(names.map((name) => ({ name }))));
  }

  /** @param {string} name */
  const chipOf = (name) =>
    element(
      'li',
      {},
      name,
      ' ',
      button(
        '×',
        () => {
          set(names.filter((one) => one !== name));
          document.getElementById('append-field')?.focus();
        },
        { class: 'icon', 'aria-label': `Remove ${name}` },
      ),
    );

  return {
    /** @param {string} text */
    show(text) {
      const parsed = parseNames(text);
      names = parsed ?? [];
      isWellFormed = parsed !== undefined;
      if (parsed) draw();
      else place.replaceChildren(element('p', { class: 'note' }, malformed));
    },
    /** @param {string} text */
    says: (text) => isWellFormed && parseNames(text)?.join() === names.join(),
  };
}

const malformed = 'The list in the address is not well formed; mend it there.';

/** Undefined: the text is no list of names. @param {string} text */
function parseNames(text) {
  const items = parseInclude(text);
  return items?.some(({ inner }) => inner) ? undefined : items?.map(({ name }) => name);
}

/** @param {string} text */
const isWhole = (text) => /^[^-]+-(Count|[^-]+-(Sum|Avg|Min|Max))$/i.test(text.trim());

/**
 * First collections with their counts; behind a collection and a hyphen, its fields. @param {string} input @param
 * {Schema | undefined} schema @returns {Promise<Option[]>}
 */
export async function optionsFor(input, schema) {
  if (!schema) return [];
  const [collection = '', ...rest] = input.split('-');
  if (rest.length === 0) {
    const matches = (await schema.fieldsAt([])).filter(
      ({ kind, type }) => kind === 'collection' && type !== 'CustomFields',
    );
    const options = matches.flatMap(({ name, type }) => [
      { text: `${name}-Count`, label: `${name}-Count`, note: 'how many' },
      { text: `${name}-`, label: `${name}-…`, note: `of a field of ${type} ›`, isPartial: true },
    ]);
    return matching(options, input);
  }
  const owner = fieldNamed(await schema.fieldsAt([]), collection)?.name ?? collection;
  const fields = await schema.fieldsAt([collection]);
  const options = fields.flatMap(({ name, kind, type }) =>
    functionsFor(kind === 'value' ? valueKind(type, schema.choices) : undefined).map((fn) => `${owner}-${name}-${fn}`),
  );
  return matching(
    [`${owner}-Count`, ...options].map((name) => ({ text: name, label: name, note: '' })),
    input,
  );
}

/** @param {import('./where-rows.js').ValueKind | undefined} kind */
const functionsFor = (kind) =>
  kind === 'number' ? ['Sum', 'Avg', 'Min', 'Max'] : kind === 'moment' ? ['Min', 'Max'] : [];
