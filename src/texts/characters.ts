/** Which characters a text may hold, and which of them anybody sees. */

// What XML 1.0 cannot carry: control characters and lone surrogates could never be answered in it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML has no way to write
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

export const isXmlText = (text: string): boolean => text.isWellFormed() && hasXmlCharacters(text);

/** The same for a text that is cut anywhere out of a well-formed one. */
export const hasXmlCharacters = (text: string): boolean => text.search(unwritable) < 0;

/** The same text, with a replacement character in place of each that XML cannot carry. */
export const toXmlText = (text: string): string => text.toWellFormed().replace(unwritable, '\ufffd');

/** Whether a text shows nothing: it is of spaces, control characters and what is never drawn. */
export const showsNothing = (text: string): boolean => /^[\s\p{Cc}\p{Cf}\p{DI}]*$/u.test(text);
