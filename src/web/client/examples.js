/**
 * The examples that the page begins with: links that lead to themselves, or, with a plain click, fill the form in
 * place.
 */
import { byId } from './dom.js';

/** @param {(query: string) => void} chosen */
export function onExample(chosen) {
  for (const link of byId('examples', HTMLElement).querySelectorAll('a')) {
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      chosen(new URL(link.href).searchParams.get('q') ?? '');
    });
  }
}
