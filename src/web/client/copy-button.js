/** A button that puts a text on the clipboard, and says so. */
import { byId } from './dom.js';

/** @param {string} id @param {() => string} text @param {() => void} select marks the text, where the clipboard is out of reach */
export function copyButton(id, text, select) {
  const button = byId(id, HTMLButtonElement);
  const words = button.textContent ?? '';
  button.addEventListener('click', async () => {
    const isDone = await navigator.clipboard?.writeText(text()).then(
      () => true,
      () => false,
    );
    // Not every connection may write to the clipboard.
    if (!isDone) select();
    byId('copied', HTMLElement).textContent = isDone ? 'Copied.' : 'Press Ctrl+C to copy.';
    button.textContent = isDone ? 'Copied' : words;
    const restore = () => {
      button.textContent = words;
    };
    button.addEventListener('blur', restore, { once: true });
  });
}
