/** Text of clients as messages quote it: short, and on one line. */

/** Of a long text the beginning, without half a letter at its end. */
export const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 80).toWellFormed()}…` : text);

export function cut(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what must not reach a message
  const line = text.replace(/[\u0000-\u001f\u007f]/g, '\ufffd');
  return shortened(line);
}

/** However long the names are that a client sent: a message says what is wrong, it does not send them back. */
export const short = (message: string): string =>
  message.length <= 500
    ? message
    : cutWords(message.length > 20_000 ? message.slice(0, 10_000) + message.slice(-10_000) : message).slice(0, 4000);

const cutWords = (text: string): string => text.replace(/\S{120,}/g, shortened);
