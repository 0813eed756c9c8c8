/** Dialogs: to confirm what cannot be taken back, to fill in something short, to show something once. */
import { button, element, freshId } from './dom.js';
import { holdFocus } from './focus.js';
import { sends } from './forms.js';
import { clearMessage } from './messages.js';

/**
 * @typedef {{
 *   title: string,
 *   content: readonly (Node | string)[],
 *   words?: string,
 *   isDanger?: boolean,
 *   close?: string,
 *   act?(form: HTMLFormElement): Promise<void>,
 *   check?(): [field: string, complaint: string] | undefined,
 * }} Dialog
 */

/**
 * Resolves when the dialog is closed, with whether that came to pass which it is about. While it is under way it cannot
 * be closed, and if it is refused the dialog stays and says why.
 * @param {Dialog} dialog
 * @returns {Promise<boolean>}
 */
export function openDialog({ title, content, words, isDanger = false, close = 'Cancel', act, check }) {
  clearMessage();
  const heading = freshId('dialog');
  const release = holdFocus();
  let isDone = false;
  const cancel = button(close, () => made.close());
  const main = words === undefined ? [] : [element('button', { class: isDanger ? 'danger' : 'main' }, words)];
  const form = element(
    'form',
    { novalidate: true, 'aria-labelledby': heading },
    element('h2', { id: heading }, title),
    element('div', { class: 'problem', role: 'alert', 'data-complaints': true }),
    ...content,
    element('div', { class: 'actions last' }, cancel, ...main),
  );
  const made = element('dialog', { 'aria-labelledby': heading }, form);
  const isRunning = () => form.getAttribute('aria-busy') === 'true';
  sends(
    form,
    async () => {
      await act?.(form);
      isDone = true;
      made.close();
    },
    check,
  );
  made.addEventListener('cancel', (event) => {
    if (isRunning()) event.preventDefault();
  });
  document.body.append(made);
  // What cannot be taken back is not done by pressing Enter once too often.
  if (isDanger) cancel.setAttribute('autofocus', '');
  made.showModal();
  return new Promise((resolve) => {
    made.addEventListener('close', () => {
      // Browsers close it by a second Escape whatever is said to the first.
      if (isRunning()) {
        made.showModal();
        return;
      }
      made.remove();
      resolve(isDone);
      release();
    });
  });
}

/**
 * @param {{ title: string, text: string | readonly (Node | string)[], words: string, act(): Promise<void>, isDanger?:
 * boolean }} question
 */
export const confirmed = ({ title, text, words, act, isDanger = true }) =>
  openDialog({
    title,
    content: [element('p', {}, ...(typeof text === 'string' ? [text] : text))],
    words,
    isDanger,
    act,
  });
