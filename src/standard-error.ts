/** Lines on standard error, for whoever runs the service: redacted, as all that is logged. */
import { redacted } from './redaction.js';
import { startFailure } from './start-failure.js';

export const complain = (line: string): void => void process.stderr.write(`worktrack: ${redacted(line)}\n`);

/** Node would print all that the error holds, such as values in an error of the database. */
export function endOnUncaught(): void {
  process.on('uncaughtException', (error: unknown) => {
    complain(startFailure(error));
    process.exit(1);
  });
}
