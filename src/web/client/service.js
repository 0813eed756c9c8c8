/** Asks version 1 for queries as they are written, and for what describes them. */
import { messageIn } from './answer-text.js';
import { request } from './request.js';

/**
 * @typedef {{ status: number, isJson: boolean, text: string, milliseconds: number, bytes: number }} Answer
 * @typedef {'path' | 'operator' | 'opening' | 'value' | 'listValue' | 'separator' | 'joiner'} Wanted
 * @typedef {{ wanted: Wanted, path: string[], from: number, to: number, typed: string }} Place where a filter is typed
 * @typedef {{ rows?: import('./where-rows.js').Row[], place?: Place }} Conditions
 */

/** @param {string} root where the service is reachable, as a path without a slash at the end */
export function serviceAt(root) {
  /** @param {string} query @param {AbortSignal} [signal] @returns {Promise<Answer>} */
  async function ask(query, signal) {
    const started = performance.now();
    const answer = await request(`${root}/api/v1/${query}`, { signal });
    const bytes = await answer.arrayBuffer();
    return {
      status: answer.status,
      isJson: answer.headers.get('content-type')?.startsWith('application/json') ?? false,
      text: new TextDecoder().decode(bytes),
      milliseconds: performance.now() - started,
      bytes: bytes.byteLength,
    };
  }

  /** The parsed answer to a query that asks for JSON. @param {string} query @returns {Promise<any>} */
  async function read(query) {
    const { status, text } = await ask(query);
    if (status !== 200) throw new Error(messageIn(text) || `status ${status}`);
    return JSON.parse(text);
  }

  /**
   * What a filter says, and what could stand at the caret; nothing where the service does not tell.
   * @param {string} where @param {number} [caret] @returns {Promise<Conditions>}
   */
  async function conditions(where, caret) {
    if (where.trim() === '' && caret === undefined) return { rows: [] };
    const place = caret === undefined ? '' : `&caret=${caret}`;
    const path = `${root}/query/conditions?where=${encodeURIComponent(where.toWellFormed())}${place}`;
    const answer = await request(path).catch(() => undefined);
    return answer?.ok ? answer.json() : {};
  }

  return { ask, read, conditions };
}
