/** Counts and totals of collections, `[Tasks-Count,Bugs-Effort-Sum]`, as a list that grows and shrinks. */
import { combobox } from './combobox.js';
import { matching } from './complete.js';
import { button, element } from './dom.js';
import { parseInclude, spellInclude } from './include-text.js';
import { fieldNamed } from './metadata.js';
import { valueKind } from './value-kind.js';

/**
 * @typedef {import('./complete.js').Option} Option
 * @typedef {import('./complete.js').Known} Known
 */

/**
 * @param {HTMLElement} place
 * @param {() => Known | undefined} knownNow
 * @param {(text: string) => void} changed
 */
export function appendEditor(place, knownNow, changed) {
  /** @type {string[]} */
  let names = [];

  function draw() {
    const list = element('ul', { class: 'chips', 'aria-label': 'Chosen counts and totals' }, ...names.map(chipOf));
    const field = element('input', { id: 'append-field', placeholder: 'Tasks-Count' });
    const add = button('Add', () => take(field.value), { class: 'small' });
    const row = element('div', { class: 'joined' }, field, add);
    place.replaceChildren(list, element('label', { for: 'append-field' }, 'Count or total'), row);
    combobox(field, {
      complete: async (said) => ({ from: 0, to: said.length, options: await optionsFor(said, knownNow()) }),
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

  /** @param {string} said */
  function take(said) {
    const name = said.trim();
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
      names = (parseInclude(text) ?? []).map(({ name }) => name);
      draw();
    },
    /** @param {string} text */
    says: (text) => spellInclude(parseInclude(text) ?? []) === spellInclude(names.map((name) => ({ name }))),
  };
}

/** @param {string} said */
const isWhole = (said) => /^[^-]+-(Count|[^-]+-(Sum|Avg|Min|Max))$/i.test(said.trim());

/** First collections with their counts; behind a collection and a hyphen, its fields. @param {string} said @param {Known | undefined} known @returns {Promise<Option[]>} */
export async function optionsFor(said, known) {
  if (!known) return [];
  const [collection = '', ...rest] = said.split('-');
  if (rest.length === 0) {
    const found = (await known.fieldsAt([])).filter(
      ({ kind, type }) => kind === 'collection' && type !== 'CustomFields',
    );
    const options = found.flatMap(({ name, type }) => [
      { text: `${name}-Count`, label: `${name}-Count`, note: 'how many' },
      { text: `${name}-`, label: `${name}-…`, note: `of a field of ${type} ›`, isPartial: true },
    ]);
    return matching(options, said);
  }
  const owner = fieldNamed(await known.fieldsAt([]), collection)?.name ?? collection;
  const fields = await known.fieldsAt([collection]);
  const options = fields.flatMap(({ name, kind, type }) =>
    functionsFor(kind === 'value' ? valueKind(type, known.choices) : undefined).map((fn) => `${owner}-${name}-${fn}`),
  );
  return matching(
    [`${owner}-Count`, ...options].map((name) => ({ text: name, label: name, note: '' })),
    said,
  );
}

/** @param {import('./where-rows.js').ValueKind | undefined} kind */
const functionsFor = (kind) =>
  kind === 'number' ? ['Sum', 'Avg', 'Min', 'Max'] : kind === 'moment' ? ['Min', 'Max'] : [];
