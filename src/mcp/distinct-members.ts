/**
 * Members of JSON that would be lost in silence: those that are given twice, of which parsers differ in which one
 * counts, and `__proto__`, which no object of a script takes as a member of its own.
 */

export interface LostMember {
  /** The way to it, such as `params.arguments.id`. */
  readonly path: string;
  readonly why: string;
}

/** The first one; undefined where all are kept. The text is JSON. */
export function lostMember(json: string): LostMember | undefined {
  const open: Level[] = [];
  for (const [token, text, , colon] of json.matchAll(tokens)) {
    const level = open.at(-1);
    if (token === '{' || token === '[') open.push({ names: new Set() });
    else if (token === '}' || token === ']') open.pop();
    else if (text !== undefined && colon !== undefined && level) {
      level.name = String(JSON.parse(text));
      const why = level.name === '__proto__' ? noName : level.names.has(level.name) ? twice : undefined;
      if (why) return { path: open.flatMap(({ name }) => name ?? []).join('.'), why };
      level.names.add(level.name);
    }
  }
  return undefined;
}

const twice = 'the member is given twice.';
const noName = 'no member can have this name.';

interface Level {
  readonly names: Set<string>;
  /** Of the member that is read; none in a list. */
  name?: string;
}

const tokens = /("[^"\\]*(\\[\s\S][^"\\]*)*")\s*(:)?|[{}[\]]/g;
