/** A value that is shown to be copied, such as a token. */
import { copyOnClick } from './copy-button.js';
import { element, freshId } from './dom.js';

/** @param {string} label @param {string} value */
export function secret(label, value) {
  const id = freshId('secret');
  const field = element('input', { id, value, readonly: true, spellcheck: 'false', autocomplete: 'off' });
  field.addEventListener('focus', () => field.select());
  const status = element('span', { class: 'hidden', role: 'status' });
  const copy = element('button', { type: 'button' }, 'Copy');
  copyOnClick(
    copy,
    status,
    () => value,
    () => field.focus(),
  );
  return element(
    'div',
    { class: 'secret' },
    element('label', { for: id }, label),
    element('div', {}, field, copy),
    status,
  );
}
