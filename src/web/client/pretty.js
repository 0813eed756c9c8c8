/**
 * Sets answers out in lines of coloured pieces. The texts stay as the service wrote them: a number keeps its `3.0000`.
 */

/**
 * @typedef {'key' | 'string' | 'number' | 'word' | 'mark' | 'name' | 'plain'} PieceKind
 * @typedef {[kind: PieceKind, text: string]} Piece
 * @typedef {Piece[]} Line
 */

const jsonToken = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[{}[\],:]/g;

/** @param {string} text @returns {Line[]} */
export function jsonLines(text) {
  const tokens = text.match(jsonToken) ?? [];
  /** @type {Line[]} */
  const lines = [];
  /** @type {Line} */
  let line = [];
  let depth = 0;
  const breakLine = () => {
    lines.push(line);
    line = depth > 0 ? [['plain', '  '.repeat(depth)]] : [];
  };
  for (const [at, token] of tokens.entries()) {
    const following = tokens[at + 1];
    if (token === '{' || token === '[') {
      line.push(['mark', token]);
      depth++;
      if (following !== '}' && following !== ']') breakLine();
    } else if (token === '}' || token === ']') {
      depth--;
      const before = tokens[at - 1];
      if (before !== '{' && before !== '[') breakLine();
      line.push(['mark', token]);
    } else if (token === ',') {
      line.push(['mark', ',']);
      breakLine();
    } else if (token === ':') line.push(['mark', ': ']);
    else line.push([jsonKind(token, following), token]);
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

/** @param {string} token @param {string | undefined} following @returns {PieceKind} */
function jsonKind(token, following) {
  if (token.startsWith('"')) return following === ':' ? 'key' : 'string';
  return /^[-\d]/.test(token) ? 'number' : 'word';
}

// No token holds another `<`, so that no text is gone through twice.
const xmlToken = /<[?!][^<>]*>|<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>|[^<]+/g;

/** Indents elements; one that holds nothing but text stays on its line. @param {string} text @returns {Line[]} */
export function xmlLines(text) {
  const tokens = (text.match(xmlToken) ?? []).filter((token) => token.trim() !== '');
  /** @type {Line[]} */
  const lines = [];
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = /** @type {string} */ (tokens[at]);
    const [inner, closing] = [tokens[at + 1], tokens[at + 2]];
    if (token.startsWith('</')) depth--;
    /** @type {Line} */
    const line = depth > 0 ? [['plain', '  '.repeat(depth)]] : [];
    line.push(...xmlPieces(token));
    if (isOpening(token)) {
      if (inner !== undefined && !inner.startsWith('<') && closing?.startsWith('</')) {
        line.push(...xmlPieces(inner), ...xmlPieces(closing));
        at += 2;
      } else if (inner?.startsWith('</')) {
        line.push(...xmlPieces(inner));
        at++;
      } else depth++;
    }
    lines.push(line);
  }
  return lines;
}

/** @param {string} token */
const isOpening = (token) => /^<[^/?!]/.test(token) && !token.endsWith('/>');

/** @param {string} token @returns {Piece[]} */
function xmlPieces(token) {
  const tag = /^(<[/?]?)([^\s/>?]+)(.*?)([/?]?>)$/s.exec(token);
  if (!tag) return [[token.startsWith('<') ? 'mark' : 'plain', token]];
  const [, opening = '', name = '', attributes = '', closing = ''] = tag;
  const pieces = [...attributes.matchAll(/(\s+)([^\s=]+)(=)("[^"]*"|'[^']*')|(\s+)/g)].flatMap(
    ([, space, attribute, equals, value, rest]) =>
      /** @type {Piece[]} */ (
        attribute
          ? [
              ['plain', space],
              ['key', attribute],
              ['mark', equals],
              ['string', value],
            ]
          : [['plain', rest]]
      ),
  );
  return [['mark', opening], ['name', name], ...pieces, ['mark', closing]];
}
