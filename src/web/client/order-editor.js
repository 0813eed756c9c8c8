/** What the answer is sorted by: a path, or several with commas between, and the direction. */
import { combobox } from './combobox.js';
import { completePath } from './complete.js';
import { byId } from './dom.js';

/**
 * @param {() => import('./complete.js').Schema | undefined} schemaNow
 * @param {(values: { orderBy: string, orderByDesc: string }) => void} changed
 */
export function orderEditor(schemaNow, changed) {
  const field = byId('order-field', HTMLInputElement);
  const direction = byId('order-direction', HTMLSelectElement);
  const note = byId('order-note', HTMLElement);

  function tell() {
    const isDescending = direction.value === 'descending';
    const text = field.value.trim().replace(/\.$/, '');
    changed({ orderBy: isDescending ? '' : text, orderByDesc: isDescending ? text : '' });
  }

  combobox(field, {
    complete: async (text) => {
      const at = text.lastIndexOf(',') + 1;
      const from = at + (text.slice(at).match(/^\s*/)?.[0].length ?? 0);
      const schema = schemaNow();
      // Nothing can be sorted by what there are many of.
      const options = schema ? await completePath(text.slice(from), schema, ({ kind }) => kind !== 'collection') : [];
      return { from, to: text.length, options };
    },
    changed: tell,
    isOpenOnFocus: true,
  });
  direction.addEventListener('change', tell);

  return {
    /** @param {{ orderBy?: string, orderByDesc?: string }} values */
    show({ orderBy, orderByDesc }) {
      const isBoth = Boolean(orderBy && orderByDesc);
      const text = isBoth ? '' : orderByDesc || orderBy || '';
      if (field.value !== text) field.value = text;
      direction.value = orderByDesc ? 'descending' : 'ascending';
      field.disabled = isBoth;
      direction.disabled = isBoth;
      note.textContent = isBoth ? 'The address has both orderBy and orderByDesc; change them there.' : '';
    },
  };
}
