/** Texts that are read to be sent on: a long one stays the bytes that it came as. */

/** The bytes of a long text come in pieces, which may end in the middle of a character. */
export type Text = string | readonly Buffer[];

export type Piece = string | Buffer;

export const piecesOf = (text: Text): readonly Piece[] => (typeof text === 'string' ? [text] : text);

export const textOf = (text: Text): string => (typeof text === 'string' ? text : Buffer.concat(text).toString());

export const bytesOf = (text: Text): number =>
  typeof text === 'string' ? Buffer.byteLength(text) : text.reduce((sum, { length }) => sum + length, 0);
