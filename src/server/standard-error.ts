/** Lines on standard error, for whoever runs the service: redacted, as all that is logged. */
import { ApiError } from '../errors.js';
import { redacted } from '../runtime/redaction.js';
import { startFailure } from './start-failure.js';

export const complain = (line: string): void => void process.stderr.write(`worktrack: ${redacted(line)}\n`);

/** Refusals of the service hold no secret, and redaction would take what follows "Password:" for one. */
export function complainOf(error: unknown, wording: (error: unknown) => string = startFailure): void {
  if (error instanceof ApiError) process.stderr.write(`worktrack: ${error.message}\n`);
  else complain(wording(error));
}
