/** The text of a parameter, and complaints about places in it. */
import { type ApiError, badEncoding, malformed, nulCharacter } from '../errors.js';

export class Source {
  constructor(
    readonly parameter: string,
    readonly text: string,
  ) {
    if (text.includes('\0')) throw nulCharacter(parameter);
    if (!text.isWellFormed()) throw badEncoding();
  }

  /** Clients count characters: a surrogate pair is one. `start` counts UTF-16 units. */
  place(start: number): number {
    let pairs = 0;
    for (let at = 0; at < start; at++) if ((this.text.charCodeAt(at) & 0xfc00) === 0xd800) pairs++;
    return start - pairs;
  }

  /** Something else was expected there. */
  refuse(start: number, expected: string, actual: string): ApiError {
    return malformed(this.parameter, this.place(start), expected, actual);
  }
}
