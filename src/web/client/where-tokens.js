/** Splits the text of `where` into words, quoted texts and symbols, each with its place; nothing is refused here. */

/**
 * @typedef {{ kind: 'word' | 'quoted' | 'symbol', text: string, value: string, from: number, to: number, isOpen: boolean }} Token
 * `value` is what a quoted text stands for; `isOpen`: its closing quote is missing.
 */

const pattern = /[\p{L}\p{M}\p{N}_.+:@-]+|'(?:[^'\\]|\\.|'')*'?|"(?:[^"\\]|\\.|"")*"?|\S/gsu;

/** @param {string} text @returns {Token[]} */
export function whereTokens(text) {
  return [...text.matchAll(pattern)].map(({ 0: said, index: from }) => {
    const quote = said[0] === "'" || said[0] === '"' ? said[0] : undefined;
    const to = from + said.length;
    if (quote) return { kind: 'quoted', text: said, from, to, ...unquoted(said, quote) };
    const kind = /^[\p{L}\p{M}\p{N}_.+:@-]/u.test(said) ? 'word' : 'symbol';
    return { kind, text: said, value: said, from, to, isOpen: false };
  });
}

/** @param {string} said @param {string} quote */
function unquoted(said, quote) {
  let value = '';
  let at = 1;
  for (; at < said.length; at++) {
    const next = said[at + 1];
    if (said[at] === '\\' && next !== undefined && /['"\\]/.test(next)) value += said[++at];
    else if (said[at] === quote && next === quote) value += said[++at];
    else if (said[at] === quote) return { value, isOpen: false };
    else value += said[at];
  }
  return { value, isOpen: true };
}
