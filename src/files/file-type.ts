/** The type of a file, told by its first bytes: what a client says of it counts for nothing. */

/** As many as decide. */
export const headBytes = 4100;

export async function typeOfContent(head: Buffer): Promise<string> {
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = await fileTypeFromBuffer(head).catch(() => undefined);
  if (detected) return detected.mime.split(';', 1)[0]!;
  return isText(head) ? 'text/plain' : 'application/octet-stream';
}

/** UTF-8 without control characters but those of lines. What is cut off in the middle of a character is text all the same. */
function isText(head: Buffer): boolean {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they tell text from other bytes
    return !/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text);
  } catch {
    return false;
  }
}

/** Pictures that browsers show without carrying anything out. */
const shown = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export const isShownInPlace = (type: string | null): boolean => type !== null && shown.includes(type);

/** Text is UTF-8, or it would be no text. */
export function contentType(type: string | null): string {
  if (!type || !/^[a-z0-9.+-]+\/[a-z0-9.+-]+$/i.test(type)) return 'application/octet-stream';
  return type === 'text/plain' ? 'text/plain; charset=UTF-8' : type;
}
