/** Refusals of the API in the words of a tool, whose arguments have other names and are parts of what is asked. */
import { ApiRefusal } from '../client/api.js';
import { cut } from '../texts/quoted-text.js';

/** What was made of an argument for a parameter of the API: its pieces, with one character between them. */
export interface Made {
  readonly argument: string;
  /** Characters before the first piece. */
  readonly start: number;
  readonly pieces: readonly string[];
}

export type MadeParameters = Readonly<Record<string, Made>>;

export const made = (argument: string, pieces: readonly string[], start = 1): Made => ({ argument, start, pieces });

export const inWordsOfTool = <T>(
  parameters: MadeParameters,
  asking: Promise<T>,
  adviceOn = (_message: string): string => '',
): Promise<T> => reworded(asking, (message) => wordsOf(message, parameters) + adviceOn(message));

/** Agents give values of custom fields by name, the API takes a list. */
export const namingCustomFields = <T>(names: readonly string[], asking: Promise<T>): Promise<T> =>
  reworded(asking, (message) =>
    message.replace(/^CustomFields\[(\d+)\]\.(?:Name|Value)\b/gm, (place, at) =>
      names[at] === undefined ? place : `customFields.${cut(names[at])}`,
    ),
  );

async function reworded<T>(asking: Promise<T>, reword: (message: string) => string): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error;
    throw new ApiRefusal(error.status, reword(error.message), error.retryAfter, error.code);
  }
}

/** A place in what was made tells the agent nothing: the piece that it is in does. */
export const wordsOf = (message: string, parameters: MadeParameters): string =>
  Object.entries(parameters).reduce(
    (text, [parameter, one]) =>
      text
        .replace(new RegExp(`\\(${parameter}, at (\\d+)\\)$`), (_, at) => `(${one.argument}${within(one, Number(at))})`)
        .replace(new RegExp(`(^|parsing\\. )${parameter}: (.*?) at (\\d+), found`), (_, before, why, at) => {
          return `${before}${one.argument}: ${why}${within(one, Number(at))}, found`;
        })
        .replace(new RegExp(`(^|parsing\\. )${parameter}: `), `$1${one.argument}: `),
    message.replace(reached, '').replace('as in {other: …}', 'as in other:…'),
  );

/** What version 2 says of a member that a collection does not have: the advice of tools is nearer. */
const reached = ' Members of its items are reached by Select, Where, Count and the like.';

function within({ start, pieces }: Made, at: number): string {
  let from = start;
  for (const piece of pieces) {
    const end = from + [...piece].length;
    if (at >= from && at <= end) return ` in '${cut(asWritten(piece))}'`;
    from = end + 1;
  }
  return '';
}

/** Without the name that a path is shown under. */
const asWritten = (piece: string): string => piece.replace(/^\w+:(?=\w+(?:\.\w+)+$)/, '');
