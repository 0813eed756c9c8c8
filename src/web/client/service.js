/** Speaks to the service as whoever is logged in here. */

/** @typedef {{ status: number, isJson: boolean, text: string, milliseconds: number, bytes: number }} Answer */

/** @param {string} root where the service is reachable, as a path without a slash at the end */
export function serviceAt(root) {
  /** @param {string} query @param {AbortSignal} [signal] @returns {Promise<Answer>} */
  async function ask(query, signal) {
    const started = performance.now();
    // The header tells that a page asks, not a person: a refusal then opens no dialog of the browser.
    const headers = { 'X-Requested-With': 'XMLHttpRequest' };
    const answer = await fetch(`${root}/api/v1/${query}`, { credentials: 'same-origin', headers, signal });
    const bytes = await answer.arrayBuffer();
    return {
      status: answer.status,
      isJson: answer.headers.get('content-type')?.includes('json') ?? false,
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

  return { ask, read };
}

/** What a refusal says, in whichever format. @param {string} text */
export function messageIn(text) {
  try {
    return String(JSON.parse(text).Message ?? '');
  } catch {
    const message = /<Message>([\s\S]*?)<\/Message>/.exec(text)?.[1] ?? '';
    return unescaped(message);
  }
}

/**
 * The next and previous page, by the links of the answer. @param {Answer} answer @returns {{ next?: string, previous?:
 * string }}
 */
export function linksIn({ isJson, text }) {
  if (isJson) {
    const { Next, Prev } = JSON.parse(text);
    return { next: Next, previous: Prev };
  }
  const root = /^(?:<\?[^>]*>\s*)*<[^>]*>/.exec(text)?.[0] ?? '';
  /** @param {string} name */
  const attribute = (name) => {
    const value = new RegExp(` ${name}="([^"]*)"`).exec(root)?.[1];
    return value === undefined ? undefined : unescaped(value);
  };
  return { next: attribute('Next'), previous: attribute('Prev') };
}

/** @type {Record<string, string>} */
const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** @param {string} text */
const unescaped = (text) =>
  text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi, (all, hex, decimal, name) => {
    if (name) return entities[name.toLowerCase()] ?? all;
    return String.fromCodePoint(hex ? Number.parseInt(hex, 16) : Number(decimal));
  });
