/** A JPEG without what no thumbnail needs: millions of notes before its pixels are kept one by one. */
import { PictureError } from './picture-error.js';

const startBytes = 2;
const startOfPixels = 0xda;
const [note, lastOfApplications] = [0xfe, 0xef];

/** What is read of applications: sizes, which side is up, profiles, colours. */
const read = new Set([0xe0, 0xe1, 0xe2, 0xee]);

/** A profile of colours may be in 255 parts. */
const mostRead = 300;

/** Pictures have some dozens of segments. */
export const mostSegments = 20_000;

/** Errors: PictureError, for more segments than any picture needs. */
export function bareJpeg(bytes: Buffer): Buffer {
  const kept = [bytes.subarray(0, startBytes)];
  let ofApplications = 0;
  let at = startBytes;
  for (let count = 0; at + 4 <= bytes.length && bytes[at] === 0xff; count += 1) {
    if (count === mostSegments) throw new PictureError();
    const mark = bytes[at + 1] ?? 0;
    // A byte that fills up stands before a mark; what has no length is the decoder's.
    if (mark === 0xff) {
      at += 1;
      continue;
    }
    if (mark === startOfPixels || mark < 0xc0 || (mark >= 0xd0 && mark <= 0xd9)) break;
    const to = at + 2 + bytes.readUInt16BE(at + 2);
    if (to > bytes.length) break;
    const isOfApplication = mark >= 0xe0 && mark <= lastOfApplications;
    if (isOfApplication ? read.has(mark) && ofApplications < mostRead : mark !== note) {
      kept.push(bytes.subarray(at, to));
      if (isOfApplication) ofApplications += 1;
    }
    at = to;
  }
  return Buffer.concat([...kept, bytes.subarray(at)]);
}
