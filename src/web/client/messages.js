/** The status line of a page: the result of the last action. Screen readers read it out, and it stays in sight. */
import { Refusal } from './calls.js';
import { byId } from './dom.js';

const place = byId('status', HTMLElement);

/** @param {...(Node | string)} words */
export const announce = (...words) => say('done', words);

/** Shows an error where there is no form to show it in. @param {unknown} error */
export const showProblem = (error) => say('problem', wordsOf(error));

/** @param {unknown} error @returns {(Node | string)[]} */
export function wordsOf(error) {
  const message = error instanceof Error ? error.message : String(error);
  return error instanceof Refusal && error.link ? [message, ' ', error.link] : [message];
}

/**
 * Reads the page anew and says what was done, also where it cannot be read. @param {() => Promise<void>} load @param
 * {...(Node | string)} words
 */
export async function announceChange(load, ...words) {
  try {
    await load();
    announce(...words);
  } catch (error) {
    say('problem', [...words, ' What is shown here is older: ', ...wordsOf(error)]);
  }
}

/** Takes away the message of the action before. */
export const clearMessage = () => say('done', []);

/** @param {string} kind @param {readonly (Node | string)[]} words */
function say(kind, words) {
  place.className = `${kind} message`;
  place.replaceChildren(...words);
}
