/** Names of files: what is kept of one that was sent, and how an answer tells it (RFC 6266, RFC 8187). */

const longest = 255;

/** The name that a file gets which somebody else has named. */
export const keptName = (sent: string): string => shownName(sent) ?? 'file';

/**
 * The last part of a path, without what acts on terminals and lines or is not seen. Unicode stays; the end of a long
 * name, too. Undefined where nothing is left.
 */
export function shownName(sent: string): string | undefined {
  const path = sent.toWellFormed();
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  const name = last
    .normalize('NFC')
    .replace(unprintable, '')
    .trim()
    .replace(/^\.{1,2}$/, '');
  return visible.test(name) ? shortened(name) : undefined;
}

/**
 * Control characters, line and paragraph separators, marks that turn the direction of text around, and what is never
 * seen. What joins letters and chooses between forms of a character stays.
 */
const unprintable =
  /(?!\u200c|\u200d|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}\p{DI}\ufff9-\ufffb]/gu;

const visible = /(?!\u2800)[\p{L}\p{N}\p{P}\p{S}]/u;

/** Never cut within a character. */
function shortened(name: string): string {
  if (name.length <= longest) return name;
  const ending = /\.[^.]{1,16}$/u.exec(name.slice(-2 * longest))?.[0] ?? '';
  const start = name.slice(0, longest - ending.length);
  return (start.isWellFormed() ? start : start.slice(0, -1)) + ending;
}

/** The name once in ASCII for old clients, once as it is. */
export function contentDisposition(name: string, isShown: boolean): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, percentEncoded);
  return `${isShown ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

const percentEncoded = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
