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

/** Lines, of which each that is not UTF-8 is undefined. They end with a line feed, and with nothing else. */
export async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string | undefined> {
  let open: Uint8Array[] = [];
  for await (const piece of input) {
    let from = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      yield lineIn([...open, piece.subarray(from, end)]);
      open = [];
      from = end + 1;
    }
    if (from < piece.length) open.push(piece.subarray(from));
  }
  if (open.length > 0) yield lineIn(open);
}

const lineFeed = 10;

function lineIn(pieces: readonly Uint8Array[]): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces));
  } catch {
    return undefined;
  }
}
