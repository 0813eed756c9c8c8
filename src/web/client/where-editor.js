/** The conditions, as rows to fill in or as text with completion. */
import { combobox } from './combobox.js';
import { completePath, completeWhere } from './complete.js';
import { button, element, freshId } from './dom.js';
import { valueField } from './value-field.js';
import { valueKind } from './value-kind.js';
import { operatorNamed, operators, spellRows } from './where-rows.js';

/**
 * @typedef {import('./complete.js').Schema} Schema
 * @typedef {import('./where-rows.js').Row} Row
 * @typedef {import('./where-rows.js').ValueKind} ValueKind
 */

/**
 * @param {HTMLElement} place
 * @param {() => Schema | undefined} schemaNow
 * @param {(text: string) => void} changed
 * @param {(where: string, caret?: number) => Promise<import('./service.js').Conditions>} conditions
 */
export function whereEditor(place, schemaNow, changed, conditions) {
  /** @type {Row[]} */
  let rows = [];
  let text = '';
  let isText = false;
  /** The text as rows, where it is no more than that. @type {Row[] | undefined} */
  let asRows = [];
  /** The fields that were named so far. @type {Map<string, import('./metadata.js').Field>} */
  const fields = new Map();

  /** @param {string} path @returns {ValueKind | undefined} */
  function kindOf(path) {
    const [field, schema] = [fields.get(path), schemaNow()];
    return field?.kind === 'value' && schema ? valueKind(field.type, schema.choices) : undefined;
  }

  /** Tells the type of a field before the row that names it is shown or spelled. @param {string} path */
  async function learn(path) {
    const field =
      path === ''
        ? undefined
        : await schemaNow()
            ?.fieldAt(path)
            .catch(() => undefined);
    if (field) fields.set(path, field);
    return field;
  }

  function tell() {
    text = spellRows(rows, kindOf);
    asRows = rows;
    changed(text);
  }

  /** @param {string} input @param {number} [caret] */
  async function ask(input, caret) {
    const answer = await conditions(input, caret);
    if (text === input) asRows = answer.rows;
    return answer;
  }

  function draw() {
    if (isText) place.replaceChildren(toggle('Edit as rows', asRows === undefined), asText());
    else {
      const list = element(
        'ul',
        { class: 'conditions', 'aria-label': 'Conditions that must all hold' },
        ...rows.map(rowOf),
      );
      const add = button('Add a condition', () => addRow(), { class: 'small', id: 'add-condition' });
      place.replaceChildren(list, element('div', { class: 'actions' }, add, toggle('Edit as text', false)));
    }
  }

  function addRow() {
    rows.push({ path: '', operator: 'eq', values: [] });
    draw();
    /** @type {HTMLElement | null} */ (place.querySelector('li:last-child input'))?.focus();
  }

  /** @param {string} words @param {boolean} isRefused */
  function toggle(words, isRefused) {
    const made = button(
      words,
      () => {
        if (isText && !asRows) return;
        isText = !isText;
        rows = asRows ?? [];
        void Promise.all(rows.map(({ path }) => learn(path))).then(draw);
      },
      { class: 'small' },
    );
    made.disabled = isRefused;
    const why = isRefused
      ? element('span', { class: 'note' }, ' Rows can say only what must all hold, without empty values.')
      : undefined;
    return element('span', {}, made, why);
  }

  function asText() {
    const id = freshId('where');
    const field = element('textarea', { id, rows: 3, class: 'code' });
    field.value = text;
    const made = element('div', { class: 'field' }, element('label', { for: id }, 'where'), field);
    const refresh = () => {
      text = field.value.replace(/\s*\n\s*/g, ' ');
      changed(text);
      // Until the service has told, it may be more than rows.
      asRows = undefined;
      void ask(text).then(() => {
        const toRows = place.querySelector('button.small');
        if (toRows instanceof HTMLButtonElement) toRows.disabled = asRows === undefined;
      });
    };
    combobox(field, {
      complete: async (text, caret) => {
        const schema = schemaNow();
        const { place } = schema ? await conditions(text, caret) : {};
        return schema ? completeWhere(place, caret, schema) : { from: caret, to: caret, options: [] };
      },
      changed: refresh,
      isOpenOnFocus: true,
    });
    return made;
  }

  /** @param {Row} row */
  function rowOf(row) {
    const made = element('li', { class: 'condition' });
    const path = element('input', { 'aria-label': 'Field', class: 'path', placeholder: 'Field' });
    path.value = row.path;
    const operator = element('select', { 'aria-label': 'Operator' });
    const value = element('span', { class: 'value' });
    const remove = button('×', () => removeRow(row), {
      class: 'icon',
      'aria-label': `Remove the condition on ${row.path || 'nothing yet'}`,
    });
    made.append(path, operator, value, remove);

    let drawn = '';
    const redraw = () => {
      const kind = kindOf(row.path);
      const fitting = operators.filter(({ name, kinds }) => name === row.operator || !kind || kinds.includes(kind));
      operator.replaceChildren(
        ...fitting.map(({ name, words }) => element('option', { value: name, selected: name === row.operator }, words)),
      );
      const isFocused = value.contains(document.activeElement);
      const schema = schemaNow();
      const { takes } = operatorNamed(row.operator);
      const now = `${takes} ${kind} ${fields.get(row.path)?.type}`;
      if (now !== drawn) {
        drawn = now;
        value.replaceChildren(
          ...(takes === 'none' || !schema ? [] : [valueField(row, fields.get(row.path), schema, tell)]),
        );
        // Somebody who types faster than the service answers goes on in the field that fits.
        const field = isFocused ? value.querySelector('input, select') : undefined;
        if (field instanceof HTMLElement) field.focus();
      }
      remove.setAttribute('aria-label', `Remove the condition on ${row.path || 'nothing yet'}`);
    };
    combobox(path, {
      complete: async (text) => {
        const schema = schemaNow();
        return { from: 0, to: text.length, options: schema ? await completePath(text, schema) : [] };
      },
      changed: () => {
        row.path = path.value.trim();
        void learn(row.path).then((field) => {
          const kind = kindOf(row.path);
          if (field && kind && !operatorNamed(row.operator).kinds.includes(kind)) row.operator = 'eq';
          if (field) redraw();
          tell();
        });
      },
      isOpenOnFocus: true,
    });
    operator.addEventListener('change', () => {
      row.operator = operator.value;
      redraw();
      tell();
    });
    redraw();
    return made;
  }

  /** @param {Row} row */
  function removeRow(row) {
    const at = rows.indexOf(row);
    rows.splice(at, 1);
    draw();
    tell();
    const next = place.querySelectorAll('.condition input.path')[Math.min(at, rows.length - 1)];
    (next instanceof HTMLElement ? next : document.getElementById('add-condition'))?.focus();
  }

  return {
    /** @param {string} input */
    async show(input) {
      text = input;
      await ask(input);
      if (text !== input) return;
      isText = asRows === undefined || (isText && input !== '');
      rows = asRows ?? [];
      await Promise.all(rows.map(({ path }) => learn(path)));
      if (text === input) draw();
    },
    /** @param {string} candidate */
    says: (candidate) => candidate === text,
  };
}
