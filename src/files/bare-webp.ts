/** A WebP of its first image alone: the decoder looks for each of the others from the first one on. */
import { PictureError } from './picture-error.js';

const headerBytes = 12;
const chunkHeadBytes = 8;

/** What tells colours and which side is up; each counts once. */
const once: Readonly<Record<string, number>> = { ICCP: 0x20, EXIF: 0x08 };
const onceBytes = 1024 * 1024;

const [transparent, animated] = [0x10, 0x02];
const [extendedBytes, animationBytes, frameBytes] = [10, 6, 16];

/** So many chunks are read; the image must be among them. */
export const mostChunks = 4_000;

/** Errors: PictureError, for one without an image. */
export function bareWebp(bytes: Buffer): Buffer {
  const [first] = chunksOf(bytes, headerBytes, bytes.length);
  return webpOf(first?.type === 'VP8X' ? extended(bytes, first) : drawing(chunksOf(bytes, headerBytes, bytes.length)));
}

interface Chunk {
  type: string;
  body: Buffer;
  /** Where its body begins. */
  from: number;
}

function extended(bytes: Buffer, head: Chunk): Buffer[] {
  if (head.body.length < extendedBytes) throw new PictureError();
  const isAnimated = ((head.body[0] ?? 0) & animated) !== 0;
  const kept = new Map<string, Chunk>();
  for (const chunk of chunksOf(bytes, head.from + extendedBytes, bytes.length)) {
    if (!kept.has(chunk.type) && isKept(chunk)) kept.set(chunk.type, chunk);
  }
  const part = (type: string): Buffer[] => (kept.has(type) ? [chunkOf(type, kept.get(type)!.body)] : []);
  const picture = isAnimated
    ? [...part('ANIM'), firstFrame(bytes, kept.get('ANMF'))]
    : drawing([kept.get('ALPH'), kept.get('VP8 ') ?? kept.get('VP8L')].filter((chunk) => chunk !== undefined));
  const flags = Object.entries(once).reduce(
    (sum, [type, flag]) => (kept.has(type) ? sum | flag : sum),
    (head.body[0] ?? 0) & (transparent | animated),
  );
  const x = Buffer.from(head.body.subarray(0, extendedBytes));
  x[0] = flags;
  return [chunkOf('VP8X', x), ...part('ICCP'), ...picture, ...part('EXIF')];
}

function isKept({ type, body }: Chunk): boolean {
  if (type in once) return body.length <= onceBytes;
  if (type === 'ANIM') return body.length === animationBytes;
  return ['ANMF', 'ALPH', 'VP8 ', 'VP8L'].includes(type);
}

/** With its place in the picture, and nothing that only looks as if it were in it. */
function firstFrame(bytes: Buffer, frame: Chunk | undefined): Buffer {
  if (!frame || frame.body.length < frameBytes) throw new PictureError();
  const inner = chunksOf(bytes, frame.from + frameBytes, frame.from + frame.body.length);
  return chunkOf('ANMF', Buffer.concat([frame.body.subarray(0, frameBytes), ...drawing(inner)]));
}

/** The image, which its transparency may precede. */
function drawing(chunks: Iterable<Chunk>): Buffer[] {
  const parts: Buffer[] = [];
  for (const { type, body } of chunks) {
    const isImage = type === 'VP8 ' || type === 'VP8L';
    if (!isImage && (type !== 'ALPH' || parts.length > 0)) break;
    parts.push(chunkOf(type, body));
    if (isImage) return parts;
  }
  throw new PictureError();
}

/** One that is cut off is left out, so that the picture is damaged. */
function* chunksOf(bytes: Buffer, start: number, end: number): Generator<Chunk> {
  let at = start;
  for (let count = 0; count < mostChunks && at + chunkHeadBytes <= end; count += 1) {
    const from = at + chunkHeadBytes;
    const length = bytes.readUInt32LE(at + 4);
    if (from + length > end) return;
    yield { type: bytes.toString('latin1', at, at + 4), body: bytes.subarray(from, from + length), from };
    at = from + length + (length % 2);
  }
}

function chunkOf(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(chunkHeadBytes);
  head.write(type, 'latin1');
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
}

function webpOf(parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts]);
  return chunkOf('RIFF', body);
}
