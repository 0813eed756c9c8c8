/** A GIF that ends behind its first image: whoever counts millions of others keeps all pictures waiting. */
import { PictureError } from './picture-error.js';

/** Encoders write blocks of 255 bytes, which makes 130,000 in the largest file. */
export const mostBlocks = 300_000;

const [extension, image, end] = [0x21, 0x2c, 0x3b];
const control = 0xf9;
const controlBytes = 8;
const headerBytes = 13;
const imageBytes = 10;

/** Errors: PictureError, for one without an image and for more blocks than any picture needs. */
export function bareGif(bytes: Buffer): Buffer {
  const blocks = { left: mostBlocks };
  let at = headerBytes + colourBytes(bytes, 10);
  const header = bytes.subarray(0, at);
  let shown: Buffer = Buffer.alloc(0);
  while (bytes[at] === extension) {
    if (bytes[at + 1] === control) shown = controlOf(bytes, at);
    at = behindBlocks(bytes, at + 2, blocks);
  }
  if (bytes[at] !== image) throw new PictureError();
  // One byte stands before the blocks of pixels.
  const to = behindBlocks(bytes, at + imageBytes + colourBytes(bytes, at + imageBytes - 1) + 1, blocks);
  return Buffer.concat([header, shown, bytes.subarray(at, to), Buffer.of(end)]);
}

/** How the image behind it is shown: transparent or not. */
function controlOf(bytes: Buffer, at: number): Buffer {
  const part = Buffer.from(bytes.subarray(at, at + controlBytes));
  return part.length === controlBytes && part[2] === 4 && part[7] === 0 ? part : Buffer.alloc(0);
}

/** The bytes of the colour table that these flags announce. */
function colourBytes(bytes: Buffer, flagsAt: number): number {
  const flags = bytes[flagsAt] ?? 0;
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

/** Each begins with its length, and the last one is empty. */
function behindBlocks(bytes: Buffer, from: number, blocks: { left: number }): number {
  let at = from;
  for (let length = bytes[at]; length !== undefined; length = bytes[at]) {
    if (blocks.left === 0) throw new PictureError();
    blocks.left -= 1;
    at += length + 1;
    if (length === 0) break;
  }
  return at;
}
