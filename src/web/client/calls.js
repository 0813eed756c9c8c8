/** Calls to the API from the pages of people: reads and writes in JSON, as whoever looks at the page. */
import { messageIn } from './answer-text.js';
import { byId, element } from './dom.js';
import { loginFrom, request } from './request.js';

/** What the service answered that is no success. */
export class Refusal extends Error {
  /**
   * @param {number} status 0 where nothing was answered @param {string} message @param {HTMLAnchorElement} [link] where
   * to go about it
   */
  constructor(status, message, link) {
    super(message);
    this.status = status;
    this.link = link;
  }
}

/** Where the service is reachable, as a path without a slash at the end. */
export const root = byId('page', HTMLElement).dataset.root ?? '';

/**
 * @param {string} path below the root, as `/api/v1/Users/1`
 * @param {{ method?: string, body?: unknown, signal?: AbortSignal }} [how]
 * @returns {Promise<any>} the parsed answer
 */
export async function call(path, { method = 'GET', body, signal } = {}) {
  const [isEmpty, isRead] = [body === undefined, method === 'GET'];
  const answer = await request(root + path, {
    method,
    signal,
    headers: { Accept: 'application/json', ...(!isEmpty && { 'Content-Type': 'application/json' }) },
    body: isEmpty ? undefined : JSON.stringify(body),
  }).catch((error) => {
    if (signal?.aborted) throw error;
    const isUndone = isRead || !navigator.onLine;
    throw new Refusal(0, isUndone ? `The service cannot be reached. ${readAgain}` : `No answer came. ${lookFirst}`);
  });
  if (answer.status === 401 && isRead) return leave();
  if (answer.status === 401) throw sessionEnded();
  try {
    const text = await answer.text();
    if (!answer.ok) throw new Refusal(answer.status, refusalIn(text, answer));
    return text === '' ? undefined : JSON.parse(text);
  } catch (error) {
    if (signal?.aborted || error instanceof Refusal) throw error;
    throw new Refusal(0, `The answer did not come whole. ${isRead ? readAgain : lookFirst}`);
  }
}

const readAgain = 'Try again in a moment.';
const lookFirst = 'What was asked for may be done: load the page again and look, before you try again.';

/** @param {string} text @param {Response} answer */
function refusalIn(text, { status, headers }) {
  const message = messageIn(text) || `The service answered with status ${status}.`;
  const seconds = Number(headers.get('Retry-After'));
  if (status !== 429 || !seconds) return message;
  const [count, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return `${message.replace(/ (Try again later|Slow down)\.$/, '')} Try again in ${count} ${unit}${count === 1 ? '' : 's'}.`;
}

/** The session is over: to the log-in, and back. What waits for the answer waits for ever. */
function leave() {
  location.assign(loginFrom(root));
  return new Promise(() => {});
}

/** To leave would take away what was filled in. */
function sessionEnded() {
  const link = element('a', { href: `${root}/login`, target: '_blank' }, 'Log in');
  return new Refusal(401, 'You are not logged in any more. Log in in another tab, and try again here.', link);
}
