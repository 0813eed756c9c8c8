/** Members of JSON that are given twice: parsers differ in which of them counts. */

/** The way to the first one, such as `params.arguments.id`; undefined where all differ. The text is JSON. */
export function repeatedMember(json: string): string | undefined {
  const open: Level[] = [];
  for (const [token, text, , colon] of json.matchAll(tokens)) {
    const level = open.at(-1);
    if (token === '{' || token === '[') open.push({ names: new Set() });
    else if (token === '}' || token === ']') open.pop();
    else if (text !== undefined && colon !== undefined && level) {
      level.name = String(JSON.parse(text));
      if (level.names.has(level.name)) return open.flatMap(({ name }) => name ?? []).join('.');
      level.names.add(level.name);
    }
  }
  return undefined;
}

interface Level {
  readonly names: Set<string>;
  /** Of the member that is read; none in a list. */
  name?: string;
}

const tokens = /("[^"\\]*(\\[\s\S][^"\\]*)*")\s*(:)?|[{}[\]]/g;
