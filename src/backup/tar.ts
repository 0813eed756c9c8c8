/** Headers of tar files in the form of POSIX (ustar): what `tar` lists and unpacks. */
export const blockBytes = 512;

export interface Member {
  readonly name: string;
  readonly size: number;
}

const sumAt = 148;

export function tarHeader({ name, size }: Member): Buffer {
  const header = Buffer.alloc(blockBytes);
  const put = (text: string, at: number): void => void header.write(text, at, 'latin1');
  put(name, 0);
  put('0000600\0', 100);
  put('0000000\0', 108);
  put('0000000\0', 116);
  put(`${size.toString(8).padStart(11, '0')}\0`, 124);
  put('00000000000\0', 136);
  put('0', 156);
  put('ustar\x0000', 257);
  put(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, sumAt);
  return header;
}

/** Undefined: not a header, a damaged one, or one with a name or a size that no archive of ours has. */
export function parseTarHeader(header: Buffer): Member | undefined {
  const text = (at: number, length: number): string => header.toString('latin1', at, at + length).split('\0')[0]!;
  if (header.length < blockBytes || Number.parseInt(text(sumAt, 8), 8) !== sumOf(header)) return undefined;
  const [name, size] = [text(0, 100), text(124, 12)];
  return /^[\w./-]+$/.test(name) && /^[0-7]+$/.test(size) ? { name, size: Number.parseInt(size, 8) } : undefined;
}

/** Zero bytes up to the next block. */
export const padding = (size: number): Buffer => Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);

export const endOfTar = Buffer.alloc(2 * blockBytes);

/** The field of the sum counts as spaces. */
function sumOf(header: Buffer): number {
  let sum = 8 * 0x20;
  for (let at = 0; at < blockBytes; at++) if (at < sumAt || at >= sumAt + 8) sum += header[at]!;
  return sum;
}
