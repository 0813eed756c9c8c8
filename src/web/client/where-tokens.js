/** Splits the text of `where` into words, quoted texts and symbols, each with its place; nothing is refused here. */

/**
 * @typedef {{ kind: 'word' | 'quoted' | 'symbol', text: string, value: string, from: number, to: number, isOpen:
 * boolean }} Token `value` is what a quoted text stands for; `isOpen`: its closing quote is missing.
 */

const pattern = /[\p{L}\p{M}\p{N}_.+:@-]+|'(?:[^'\\]|\\.|'')*'?|"(?:[^"\\]|\\.|"")*"?|\S/gsu;

/** @param {string} text @returns {Token[]} */
export function whereTokens(text) {
  return [...text.matchAll(pattern)].map(({ 0: token, index: from }) => {
    const quote = token[0] === "'" || token[0] === '"' ? token[0] : undefined;
    const to = from + token.length;
    if (quote) return { kind: 'quoted', text: token, from, to, ...unquoted(token, quote) };
    const kind = /^[\p{L}\p{M}\p{N}_.+:@-]/u.test(token) ? 'word' : 'symbol';
    return { kind, text: token, value: token, from, to, isOpen: false };
  });
}

/** @param {string} token @param {string} quote */
function unquoted(token, quote) {
  let value = '';
  let at = 1;
  for (; at < token.length; at++) {
    const next = token[at + 1];
    if (token[at] === '\\' && next !== undefined && /['"\\]/.test(next)) value += token[++at];
    else if (token[at] === quote && next === quote) value += token[++at];
    else if (token[at] === quote) return { value, isOpen: false };
    else value += token[at];
  }
  return { value, isOpen: true };
}
