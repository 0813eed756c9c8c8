/**
 * What a script would not take from JSON as it stands: members that are given twice, of which parsers differ in which
 * one counts; `__proto__`, which no object has as a member of its own; levels so deep that functions which call
 * themselves end in an error.
 */
import { bodyLimits } from '../command/payload.js';

export interface LostMember {
  /** The way to it, such as `params.arguments.id`. */
  readonly path: string;
  readonly why: string;
}

/** Of a message: a value in `fields`, which a body of the API takes in its first level, stands in the fourth. */
export const mostLevels = bodyLimits.depth + 4;

/** The first one; undefined where all are kept. The text is JSON. */
export function lostMember(json: string): LostMember | undefined {
  const open: Level[] = [];
  for (const [token, text, , colon] of json.matchAll(tokens)) {
    const level = open.at(-1);
    if (token === '{' || token === '[') {
      if (open.length === mostLevels) return { path: pathOf(open), why: tooDeep };
      open.push({ names: new Set() });
    } else if (token === '}' || token === ']') open.pop();
    else if (text !== undefined && colon !== undefined && level) {
      level.name = String(JSON.parse(text));
      const why = level.name === '__proto__' ? noName : level.names.has(level.name) ? twice : undefined;
      if (why) return { path: pathOf(open), why };
      level.names.add(level.name);
    }
  }
  return undefined;
}

const pathOf = (open: readonly Level[]): string => open.flatMap(({ name }) => name ?? []).join('.') || 'The body';

const tooDeep = `it is nested deeper than ${mostLevels} levels.`;
const twice = 'the member is given twice.';
const noName = 'no member can have this name.';

interface Level {
  readonly names: Set<string>;
  /** Of the member that is read; none in a list. */
  name?: string;
}

const tokens = /("[^"\\]*(\\[\s\S][^"\\]*)*")\s*(:)?|[{}[\]]/g;
