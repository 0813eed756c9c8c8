/**
 * A PNG without what no thumbnail needs: a text of a few bytes in it unpacks to megabytes, as often as it is there,
 * before anybody asks for a pixel.
 */

import { PictureError } from './picture-error.js';

const signatureBytes = 8;

/** Length, type and checksum. */
const frameBytes = 12;

const drawing = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** What tells colours and which side is up; each counts once. */
const once = new Set(['iCCP', 'sRGB', 'gAMA', 'cHRM', 'cICP', 'eXIf']);
const onceBytes = 1024 * 1024;

/** Encoders write chunks of 8 KiB and more; a walk over millions of empty ones keeps everybody waiting. */
export const mostChunks = 20_000;

/** Errors: PictureError, for more chunks than any picture needs. */
export function barePng(bytes: Buffer): Buffer {
  const parts = keptParts(bytes);
  return Buffer.concat([bytes.subarray(0, signatureBytes), ...parts.map(({ from, to }) => bytes.subarray(from, to))]);
}

/** Bytes of a picture, `to` being behind the last one. */
export interface Part {
  from: number;
  to: number;
}

/** Chunks that stay; those that stand side by side are one part. */
export function keptParts(bytes: Buffer): Part[] {
  const seen = new Set<string>();
  const parts: Part[] = [];
  for (const { type, from, to } of chunksOf(bytes)) {
    const isKept = once.has(type) ? !seen.has(type) && to - from <= onceBytes : drawing.has(type);
    if (once.has(type)) seen.add(type);
    const last = parts.at(-1);
    if (isKept && last?.to === from) last.to = to;
    else if (isKept) parts.push({ from, to });
    if (type === 'IEND') break;
  }
  return parts;
}

interface Chunk extends Part {
  type: string;
}

/** One that is cut off is left out, so that the picture is damaged. */
function* chunksOf(bytes: Buffer): Generator<Chunk> {
  let from = signatureBytes;
  for (let count = 0; from + frameBytes <= bytes.length; count += 1) {
    const to = from + frameBytes + bytes.readUInt32BE(from);
    if (to > bytes.length) return;
    if (count === mostChunks) throw new PictureError();
    yield { type: bytes.toString('latin1', from + 4, from + 8), from, to };
    from = to;
  }
}
