/** The type of a file by its first bytes: the type that a client names counts for nothing. */

/** As many as decide. */
export const headBytes = 4100;

/** `bytes` may be the first ones of a file or all of them. */
export async function typeOfContent(bytes: Buffer): Promise<string> {
  const head = bytes.subarray(0, headBytes);
  // Their marks are taken for other formats; browsers read no UTF-32.
  if (isUtf16(head)) return 'text/plain; charset=UTF-16';
  if (isUtf32(head)) return 'application/octet-stream';
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = (await fileTypeFromBuffer(head).catch(() => undefined))?.mime.split(';', 1)[0];
  if (isText(head)) return detected && documents.test(detected) ? detected : 'text/plain';
  if (detected && !texts.test(detected)) return detected;
  return isOneByteText(head) ? 'text/plain; charset=windows-1252' : 'application/octet-stream';
}

/** Formats with programs of their own that may consist of ASCII alone. */
const documents = /^application\/(?:pdf|rtf|postscript|eps)$/;

/** Formats that are text whatever they are for. */
const texts = /^text\/|[/+](?:xml|json)$/;

/**
 * UTF-8 without control characters but those of lines. What is cut off in the middle of a character is text all the
 * same.
 */
const isText = (head: Buffer): boolean => reads(head, 'utf-8');

function isUtf16(head: Buffer): boolean {
  if (head.length < 4) return false;
  const mark = head.readUInt16BE(0);
  return (mark === 0xfffe && reads(head, 'utf-16le')) || (mark === 0xfeff && reads(head, 'utf-16be'));
}

const isUtf32 = (head: Buffer): boolean => head.length >= 4 && [0xfffe0000, 0x0000feff].includes(head.readUInt32BE(0));

/** Mostly ASCII, with letters of Western Europe among it. */
function isOneByteText(head: Buffer): boolean {
  const beyond = head.filter((byte) => byte >= 0x80).length;
  // What this encoding has no character for is read as a control character.
  return beyond * 4 <= head.length && reads(head, 'windows-1252');
}

function reads(head: Buffer, encoding: string): boolean {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell text from other bytes
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\u0080-\u009f]/.test(text);
  } catch {
    return false;
  }
}

/** Pictures that browsers show without carrying anything out. */
const shown = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export const isShownInPlace = (type: string | null): boolean => type !== null && shown.includes(type);

/** Text is UTF-8 unless its type says otherwise. */
export function contentType(type: string | null): string {
  if (!type || !/^[a-z0-9.+-]+\/[a-z0-9.+-]+(?:; charset=[a-z0-9-]+)?$/i.test(type)) return 'application/octet-stream';
  return type === 'text/plain' ? 'text/plain; charset=UTF-8' : type;
}
