/** Calls to the API from the pages of people: reads and writes in JSON, as whoever looks at the page. */
import { byId } from './dom.js';
import { messageIn } from './service.js';

/** What the service answered that is no success. */
export class Refusal extends Error {
  /** @param {number} status 0 where nothing was answered @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Where the service is reachable, as a path without a slash at the end. */
export const root = byId('page', HTMLElement).dataset.root ?? '';

/** A page that was opened with a token in its address goes on with it. */
const credential = location.search
  .slice(1)
  .split('&')
  .filter((piece) => /^(access_)?token=/i.test(piece));

/**
 * @param {string} path below the root, as `/api/v1/Users/1`
 * @param {{ method?: string, body?: unknown, signal?: AbortSignal }} [how]
 * @returns {Promise<any>} the parsed answer
 */
export async function call(path, { method = 'GET', body, signal } = {}) {
  const address = [root + path, ...credential].reduce(
    (whole, piece) => whole + (whole.includes('?') ? '&' : '?') + piece,
  );
  // The header tells that a page asks, not a person: a refusal then opens no dialog of the browser.
  /** @type {Record<string, string>} */
  const headers = { Accept: 'application/json', 'X-Requested-With': 'XMLHttpRequest' };
  // Somebody else may have logged in meanwhile, in another window: he is not who this page speaks of.
  const { viewer } = document.body.dataset;
  if (viewer !== undefined) headers['X-Session-User'] = viewer;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await fetch(address, {
    method,
    headers,
    credentials: 'same-origin',
    signal,
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch((error) => {
    if (signal?.aborted) throw error;
    throw new Refusal(0, 'The service cannot be reached. Try again in a moment.');
  });
  const text = await answer.text();
  if (answer.status === 401) return leave();
  if (!answer.ok) throw new Refusal(answer.status, refusalIn(text, answer));
  return text === '' ? undefined : JSON.parse(text);
}

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
  location.assign(`${root}/login?next=${encodeURIComponent(location.pathname + location.search)}`);
  return new Promise(() => {});
}
