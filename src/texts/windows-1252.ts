/**
 * Text of one byte for each character. ISO-8859-1 is read as windows-1252, as browsers read it: programs that name the
 * former often send the latter, and it has letters where the former has control characters.
 */

/** 0x80 to 0x9f; the five that it leaves out are control characters. */
const letters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

export const windows1252Text = (bytes: Buffer): string =>
  bytes.toString('latin1').replace(/[\u0080-\u009f]/g, (character) => letters[character.charCodeAt(0) - 0x80]!);
