/** Names of files: what is kept of one that was sent, and how an answer tells it (RFC 6266, RFC 8187). */

const longest = 255;

/** The last part of a path, without what acts on terminals and lines. Unicode stays; the end of a long name, too. */
export function keptName(sent: string): string {
  const last = sent.toWellFormed().split(/[/\\]/).at(-1)!;
  const name = last
    .normalize('NFC')
    .replace(unprintable, '')
    .trim()
    .replace(/^\.{1,2}$/, '');
  return shortened(name) || 'file';
}

/** Control characters, line and paragraph separators, and marks that turn the direction of text around. */
const unprintable = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

function shortened(name: string): string {
  const characters = [...name];
  if (name.length <= longest) return name;
  const ending = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? '';
  while (characters.join('').length + ending.length > longest) characters.pop();
  return characters.join('') + ending;
}

/** The name once in ASCII for old clients, once as it is. */
export function contentDisposition(name: string, isShown: boolean): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_');
  const exact = encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, percentEncoded);
  return `${isShown ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${exact}`;
}

const percentEncoded = (letter: string): string => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`;
