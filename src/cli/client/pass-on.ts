/** Writes an answer of the API as it came: numbers keep their digits, and formats are those that were asked for. */
import { ApiRefusal, contentOf } from '../../client/api.js';
import { textOf } from '../../client/http-api.js';
import { CommandError } from '../command-error.js';
import { steeringEscaped, writeBytes, writeText } from '../output.js';

export const isJson = ({ headers }: Response): boolean =>
  /^application\/json\b/i.test(headers.get('content-type') ?? '');

/** Errors: ApiRefusal for an answer that is none of success. */
export async function passOn(answer: Response): Promise<void> {
  if (answer.status >= 300) throw await refusalOf(answer);
  const pieces = piecesOf(answer);
  await (isJson(answer) ? writeText(pieces, steeringEscaped) : writeBytes(pieces));
}

async function refusalOf(answer: Response): Promise<Error> {
  const text = await textOf(answer);
  if (!isJson(answer) && text.trim() !== '') return new ApiRefusal(answer.status, text.trim().slice(0, 1000));
  try {
    return contentOf(answer.status, text);
  } catch (error) {
    return error as Error;
  }
}

async function* piecesOf({ body }: Response): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of body ?? []) yield piece as Uint8Array;
  } catch {
    throw new CommandError('The answer broke off.');
  }
}
