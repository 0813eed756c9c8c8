/** The status line of a page: the result of the last action. Screen readers read it out, and it stays in sight. */
import { byId } from './dom.js';

const place = byId('status', HTMLElement);

/** @param {...(Node | string)} words */
export const announce = (...words) => say('done', words);

/** Shows an error where there is no form to show it in. @param {unknown} error */
export const showProblem = (error) => say('problem', [error instanceof Error ? error.message : String(error)]);

/** Takes away the message of the action before. */
export const clearMessage = () => say('done', []);

/** @param {string} kind @param {readonly (Node | string)[]} words */
function say(kind, words) {
  place.className = `${kind} message`;
  place.replaceChildren(...words);
}
