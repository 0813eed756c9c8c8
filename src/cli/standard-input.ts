/** Standard input as text. What is not UTF-8 is refused: another character would be stored in its place. */
import { CommandError } from './command-error.js';

/** In pieces as they come. Errors: CommandError. */
export async function* textOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decoded = (piece?: Uint8Array): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new CommandError('Standard input is not UTF-8.');
    }
  };
  for await (const piece of input) yield decoded(piece);
  const rest = decoded();
  if (rest !== '') yield rest;
}

/**
 * Lines, of which each that is not UTF-8, or longer than `longest` bytes, is undefined. They end with a line feed, and
 * with nothing else.
 */
export async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  longest = longestLine,
): AsyncGenerator<string | undefined> {
  let open: Uint8Array[] = [];
  let bytes = 0;
  const add = (part: Uint8Array): void => {
    bytes += part.length;
    if (bytes <= longest) open.push(part);
    else open = [];
  };
  const line = (): string | undefined => {
    const text = bytes <= longest ? lineIn(open) : undefined;
    [open, bytes] = [[], 0];
    return text;
  };
  for await (const piece of input) {
    let from = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      add(piece.subarray(from, end));
      yield line();
      from = end + 1;
    }
    if (from < piece.length) add(piece.subarray(from));
  }
  if (bytes > 0) yield line();
}

/** More than a message may hold whose text is a mebibyte, each letter of which is written in six. */
const longestLine = 16 * 2 ** 20;

const lineFeed = 10;

function lineIn(pieces: readonly Uint8Array[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    return undefined;
  }
}
