/** Fields of forms that only dialogs have. */
import { button, element, freshId } from './dom.js';

/**
 * @param {string} name @param {string} label @param {Record<string, string | boolean>} [attributes] @param {string}
 * [note]
 */
export function textField(name, label, attributes = {}, note) {
  const id = freshId(name);
  const described = note === undefined ? {} : { 'aria-describedby': `${id}-note` };
  const input = element('input', { id, name, autocomplete: 'off', ...described, ...attributes });
  const notes = note === undefined ? [] : [element('p', { class: 'note', id: `${id}-note` }, note)];
  return { field: element('div', { class: 'field' }, element('label', { for: id }, label), input, ...notes), input };
}

/** @param {string} name @param {string} label @param {string} note */
export function checkField(name, label, note) {
  const id = freshId(name);
  const input = element('input', { id, name, type: 'checkbox', 'aria-describedby': `${id}-note` });
  const noteElement = element('p', { class: 'note', id: `${id}-note` }, note);
  return {
    field: element('div', { class: 'field check' }, input, element('label', { for: id }, label), noteElement),
    input,
  };
}

/** @param {string} name @param {string} label @param {readonly (readonly [string, string])[]} options */
export function choiceField(name, label, options) {
  const id = freshId(name);
  const select = element(
    'select',
    { id, name },
    ...options.map(([value, words]) => element('option', { value }, words)),
  );
  return { field: element('div', { class: 'field' }, element('label', { for: id }, label), select), select };
}

/**
 * Shows what passwords say, for as long as it is pressed in. @param {readonly HTMLInputElement[]} inputs @param
 * {HTMLButtonElement} toggle
 */
export function shows(inputs, toggle) {
  toggle.addEventListener('click', () => show(toggle.getAttribute('aria-pressed') !== 'true'));

  /** @param {boolean} isShown */
  function show(isShown) {
    toggle.setAttribute('aria-pressed', String(isShown));
    for (const input of inputs) input.type = isShown ? 'text' : 'password';
  }
  return show;
}

/** @param {readonly HTMLInputElement[]} inputs */
export function showButton(inputs) {
  const toggle = button(inputs.length > 1 ? 'Show passwords' : 'Show password', () => {}, { 'aria-pressed': 'false' });
  return { toggle, show: shows(inputs, toggle) };
}

/** Twenty signs that nobody takes for others: more than a hundred bits. */
export function randomPassword() {
  const signs = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
  let made = '';
  // What would make some signs likelier than others is passed over.
  while (made.length < 20) {
    for (const byte of crypto.getRandomValues(new Uint8Array(32))) {
      if (byte < signs.length * 4 && made.length < 20) made += signs[byte % signs.length];
    }
  }
  return made;
}
