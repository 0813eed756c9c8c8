/** Frames the texts of items as an answer of version 2. */
export interface LinksV2 {
  next?: string;
  prev?: string;
}

export function framed(items: string, { next, prev }: LinksV2): string {
  const links = `${next ? `"next":${JSON.stringify(next)},` : ''}${prev ? `"prev":${JSON.stringify(prev)},` : ''}`;
  return `{${links}"items":[${items}]}`;
}

/** Line breaks and indents between the tokens; what the tokens say stays as it was spelled. */
export function pretty(text: string): string {
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
