/** What a page reads in the text of an answer besides its items, in either format. */

/** What a refusal says, in whichever format. @param {string} text */
export function messageIn(text) {
  try {
    return String(JSON.parse(text).Message ?? '');
  } catch {
    const message = /<Message>([^<]*)<\/Message>/.exec(text)?.[1] ?? '';
    return unescaped(message);
  }
}

/**
 * The next and previous page, by the links of the answer.
 * @param {import('./service.js').Answer} answer
 * @returns {{ next?: string, previous?: string }}
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
