/** The place of a page where it says what came of what was done. It is read out, and stays in sight. */
import { byId } from './dom.js';

const place = byId('status', HTMLElement);

/** @param {...(Node | string)} words */
export const announce = (...words) => say('done', words);

/** What went wrong where there is no form to say it. @param {unknown} error */
export const lament = (error) => say('problem', [error instanceof Error ? error.message : String(error)]);

/** What was done before is no news any more. */
export const hush = () => say('done', []);

/** @param {string} kind @param {readonly (Node | string)[]} words */
function say(kind, words) {
  place.className = `${kind} message`;
  place.replaceChildren(...words);
}
