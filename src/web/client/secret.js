/** A value that is shown to be copied, such as a token. */
import { button, element, freshId } from './dom.js';

/** @param {string} label @param {string} value */
export function secret(label, value) {
  const id = freshId('secret');
  const field = element('input', { id, value, readonly: true, spellcheck: 'false', autocomplete: 'off' });
  field.addEventListener('focus', () => field.select());
  const said = element('span', { class: 'hidden', role: 'status' });
  const copy = button('Copy', async () => {
    // Not every connection may write to the clipboard; then the text is at least selected.
    const isDone = await navigator.clipboard?.writeText(value).then(
      () => true,
      () => false,
    );
    if (!isDone) field.focus();
    said.textContent = isDone ? 'Copied.' : 'Press Ctrl+C to copy.';
    copy.textContent = isDone ? 'Copied' : 'Copy';
  });
  return element(
    'div',
    { class: 'secret' },
    element('label', { for: id }, label),
    element('div', {}, field, copy),
    said,
  );
}
