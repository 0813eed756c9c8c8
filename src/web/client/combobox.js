/**
 * Completion under a text field, by the keyboard pattern of a combobox: the focus stays in the field, and the option
 * that the arrow keys have reached is told by aria-activedescendant.
 */
import { element, freshId } from './dom.js';

/**
 * @typedef {import('./complete.js').Option} Option
 * @typedef {import('./complete.js').Completion} Completion
 * @typedef {{
 *   complete(text: string, caret: number): Promise<Completion>,
 *   changed(isPicked: boolean): void,
 *   isOpenOnFocus?: boolean,
 * }} Behaviour
 */

/** More options than this are found by typing, not by looking. */
const shown = 100;

/** @param {HTMLInputElement | HTMLTextAreaElement} field @param {Behaviour} behaviour */
export function combobox(field, { complete, changed, isOpenOnFocus = false }) {
  const id = freshId('options');
  const list = element('ul', { id, role: 'listbox', class: 'options', hidden: true, 'aria-label': 'Suggestions' });
  const note = element('span', { class: 'hidden', role: 'status' });
  /** @type {Completion | undefined} */
  let completion;
  let active = -1;
  let asked = 0;

  const isInput = field instanceof HTMLInputElement;
  const attributes = {
    'aria-autocomplete': 'list',
    'aria-controls': id,
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
  };
  for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value);
  if (isInput) {
    field.setAttribute('role', 'combobox');
    field.setAttribute('aria-expanded', 'false');
  }
  const frame = element('span', { class: 'combobox' });
  field.replaceWith(frame);
  frame.append(field, list, note);

  function close() {
    asked++;
    completion = undefined;
    active = -1;
    list.hidden = true;
    list.replaceChildren();
    field.removeAttribute('aria-activedescendant');
    if (isInput) field.setAttribute('aria-expanded', 'false');
    note.textContent = '';
  }

  async function open() {
    const turn = ++asked;
    const caret = field.selectionStart ?? field.value.length;
    const matches = await complete(field.value, caret).catch(() => undefined);
    // Meanwhile more was typed, or the field was left.
    if (turn !== asked || document.activeElement !== field) return;
    if (!matches || matches.options.length === 0 || isThere(matches)) {
      close();
      return;
    }
    completion = matches;
    active = -1;
    field.removeAttribute('aria-activedescendant');
    list.replaceChildren(...matches.options.slice(0, shown).map(optionOf), ...restOf(matches.options.length));
    list.hidden = false;
    list.scrollTop = 0;
    list.scrollIntoView({ block: 'nearest' });
    if (isInput) field.setAttribute('aria-expanded', 'true');
    note.textContent = `${matches.options.length} suggestion${matches.options.length === 1 ? '' : 's'}`;
  }

  /** The only thing that could be put in stands there already. @param {Completion} completion */
  const isThere = ({ options, from, to }) => options.length === 1 && options[0]?.text === field.value.slice(from, to);

  /** @param {Option} option @param {number} at */
  function optionOf({ label, note }, at) {
    const made = element(
      'li',
      { role: 'option', id: `${id}-${at}`, 'aria-selected': 'false' },
      element('span', {}, label),
    );
    if (note) made.append(' ', element('span', { class: 'note' }, note));
    return made;
  }

  /** @param {number} count */
  const restOf = (count) =>
    count > shown
      ? [element('li', { role: 'option', 'aria-disabled': 'true', class: 'note' }, `${count - shown} more: type on`)]
      : [];

  /** @param {number} to */
  function activate(to) {
    const options = Math.min(shown, completion?.options.length ?? 0);
    list.children[active]?.setAttribute('aria-selected', 'false');
    active = options === 0 ? -1 : (to + options) % options;
    const option = list.children[active];
    option?.setAttribute('aria-selected', 'true');
    option?.scrollIntoView({ block: 'nearest' });
    if (option) field.setAttribute('aria-activedescendant', option.id);
  }

  /** @param {number} at */
  function pick(at) {
    const option = completion?.options[at];
    if (!completion || !option) return;
    field.setRangeText(option.text, completion.from, completion.to, 'end');
    close();
    changed(true);
    if (option.isPartial) void open();
  }

  /** @type {Record<string, (event: KeyboardEvent) => boolean>} What each key did; false leaves it to the browser. */
  const keys = {
    ArrowDown() {
      if (completion) activate(active + 1);
      else void open();
      return true;
    },
    ArrowUp() {
      if (completion) activate(active < 0 ? -1 : active - 1);
      return completion !== undefined;
    },
    Enter({ ctrlKey, metaKey }) {
      if (ctrlKey || metaKey || active < 0) return false;
      pick(active);
      return true;
    },
    Tab() {
      if (active >= 0) pick(active);
      return false;
    },
    Escape() {
      const wasOpen = completion !== undefined;
      close();
      return wasOpen;
    },
    ' '({ ctrlKey }) {
      if (ctrlKey) void open();
      return ctrlKey;
    },
  };

  field.addEventListener('keydown', (event) => {
    const key = /** @type {KeyboardEvent} */ (event);
    if (!key.isComposing && keys[key.key]?.(key)) {
      key.preventDefault();
      key.stopPropagation();
    }
  });
  field.addEventListener('input', () => {
    changed(false);
    void open();
  });
  field.addEventListener('focus', () => {
    if (isOpenOnFocus) void open();
  });
  field.addEventListener('click', () => {
    if (!completion) void open();
  });
  field.addEventListener('blur', close);
  // Pressing the mouse on the list must not take the focus from the field.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target instanceof Element ? event.target.closest('[role=option]:not([aria-disabled])') : null;
    if (option) pick([...list.children].indexOf(option));
  });
  return { close, frame };
}
