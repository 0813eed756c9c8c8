/** A text whose parts have names, `{id}` in its token standing for the part `id`. */
export interface Phrase {
  readonly token: string;
  readonly parts: Readonly<Record<string, string>>;
}

export const phrased = ({ token, parts }: Phrase): string =>
  token.replace(/\{(\w+)\}/g, (name, part) => parts[part] ?? name);
