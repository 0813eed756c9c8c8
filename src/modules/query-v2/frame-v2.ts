/** Frames the texts of items as an answer of version 2. */
import { type Text, takeText } from '../../bytes/text-bytes.js';

interface LinksV2 {
  next?: string;
  prev?: string;
}

export function framed(items: readonly Text[], { next, prev }: LinksV2): Text[] {
  const links = `${next ? `"next":${JSON.stringify(next)},` : ''}${prev ? `"prev":${JSON.stringify(prev)},` : ''}`;
  const [first = '', ...rest] = items;
  if (rest.length === 0 && typeof first === 'string') return [`{${links}"items":[${first}]}`];
  return [`{${links}"items":[`, first, ...rest.flatMap((item) => [',', item]), ']}'];
}

/** Characters of a text that is still worth a reader's look. */
const readable = 2 ** 20;

/**
 * Line breaks and indents between the tokens; what the tokens say stays as it was spelled. Long texts stay as they are.
 */
export function pretty(texts: readonly Text[]): readonly Text[] {
  if (texts.reduce((sum, { length }) => sum + length, 0) > readable) return texts;
  return [indented(texts.map(takeText).join(''))];
}

function indented(text: string): string {
  let depth = 0;
  const line = (): string => `\n${'  '.repeat(depth)}`;
  return text.replace(/"(?:[^"\\]|\\.)*"|[[{]\s*[\]}]|[[\]{},:]|[^"[\]{},:]+/g, (token) => {
    switch (token) {
      case '{':
      case '[':
        depth++;
        return token + line();
      case '}':
      case ']':
        depth--;
        return line() + token;
      case ',':
        return token + line();
      case ':':
        return ': ';
      default:
        return token;
    }
  });
}
