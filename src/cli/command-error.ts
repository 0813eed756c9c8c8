/** Exit codes of the command line, and the error that ends a command with one of them and one line. */
import { StartError } from '../server/start-failure.js';

export const exitCodes = {
  done: 0,
  failed: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** A check has something to report: `migrate --check`, `doctor`. */
  findings: 3,
  /** Nobody reads the rest of what it writes: 128 and the number of SIGPIPE. */
  unread: 141,
} as const;

export class CommandError extends StartError {
  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
  ) {
    super(message);
  }
}
