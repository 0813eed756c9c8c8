/**
 * Keeps the query in the page's own address, so that it can be kept, shared and come back to. A query that was run
 * stays an entry of the history; changes made after it share one entry until they are run.
 */
import { encoded } from './query-text.js';

/** @typedef {{ isRun: boolean }} Entry */

/** @param {string} query */
const addressOf = (query) => (query === '' ? location.pathname : `${location.pathname}?q=${encoded(query)}`);

/** What the address says. */
export const requestedQuery = () => new URLSearchParams(location.search).get('q') ?? '';

const isRun = () => /** @type {Entry | null} */ (history.state)?.isRun ?? false;

/** @param {string} query */
export function draft(query) {
  if (query === requestedQuery()) return;
  // The empty page is worth coming back to as well.
  if (isRun() || requestedQuery() === '') history.pushState({ isRun: false }, '', addressOf(query));
  else history.replaceState({ isRun: false }, '', addressOf(query));
}

/** @param {string} query */
export function ran(query) {
  if (query === requestedQuery() || !isRun()) history.replaceState({ isRun: true }, '', addressOf(query));
  else history.pushState({ isRun: true }, '', addressOf(query));
}

/**
 * Back and forward: what the address says now, and whether it was run. @param {(query: string, isRun: boolean) => void}
 * shown
 */
export const onReturn = (shown) => window.addEventListener('popstate', () => shown(requestedQuery(), isRun()));
