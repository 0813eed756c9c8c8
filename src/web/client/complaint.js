/** Where in a request a refusal of the service points, by the words of its message. */

/** @typedef {{ parameter: string, position: number | undefined }} Place */

/**
 * `where: expected an operator at 6, found "equals"` names a parameter and a place in it, counted in characters.
 * @param {string} message
 * @returns {Place | undefined}
 */
export function placeOf(message) {
  const named = /\b(where|include|exclude|append|orderBy|orderByDesc|take|skip|innerTake): /i.exec(message);
  const position = /: expected .*? at (\d+), found /.exec(message)?.[1];
  if (named?.[1]) return { parameter: named[1], position: position === undefined ? undefined : Number(position) };
  if (/^Invalid include field|a collection inside a collection|cannot be included|has no inner fields/.test(message)) {
    return { parameter: 'include', position: undefined };
  }
  if (/^Invalid aggregate/.test(message)) return { parameter: 'append', position: undefined };
  return undefined;
}

/**
 * The text before the place, the word at it, and the rest.
 * @param {string} text
 * @param {number} position in characters, of which some are two units of the text
 * @returns {[before: string, marked: string, after: string]}
 */
export function markedAt(text, position) {
  const before = [...text].slice(0, position).join('');
  const marked = /^(?:[\p{L}\p{M}\p{N}_.+:@-]+|.)?/su.exec(text.slice(before.length))?.[0] ?? '';
  return [before, marked, text.slice(before.length + marked.length)];
}
