/** A button that puts a text on the clipboard, and says so. */
import { byId } from './dom.js';

/**
 * One of the query page, which has one place for what they say. @param {string} id @param {() => string} text @param
 * {() => void} select
 */
export const copyButton = (id, text, select) =>
  copyOnClick(byId(id, HTMLButtonElement), byId('copied', HTMLElement), text, select);

/**
 * @param {HTMLButtonElement} button
 * @param {HTMLElement} status what a screen reader reads out
 * @param {() => string} text
 * @param {() => void} select marks the text, where the clipboard is out of reach
 */
export function copyOnClick(button, status, text, select) {
  const words = button.textContent ?? '';
  button.addEventListener('click', async () => {
    const isDone = await navigator.clipboard?.writeText(text()).then(
      () => true,
      () => false,
    );
    // Not every connection may write to the clipboard.
    if (!isDone) select();
    status.textContent = isDone ? 'Copied.' : 'Press Ctrl+C to copy.';
    button.textContent = isDone ? 'Copied' : words;
    const restore = () => {
      button.textContent = words;
    };
    button.addEventListener('blur', restore, { once: true });
  });
}
