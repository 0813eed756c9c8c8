/**
 * A PNG without what no thumbnail needs: a text of a few bytes in it unpacks to megabytes, as often as it is there, before anybody
 * asks for a pixel.
 */

const signatureBytes = 8;

/** Length, type and checksum. */
const frameBytes = 12;

const drawing = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** What tells colours and which side is up; each counts once. */
const once = new Set(['iCCP', 'sRGB', 'gAMA', 'cHRM', 'cICP', 'eXIf']);
const onceBytes = 1024 * 1024;

export function barePng(bytes: Buffer): Buffer {
  const seen = new Set<string>();
  const kept = [bytes.subarray(0, signatureBytes)];
  for (const { type, chunk } of chunksOf(bytes)) {
    const isNew = once.has(type) && !seen.has(type) && chunk.length <= onceBytes;
    if (drawing.has(type) || isNew) kept.push(chunk);
    seen.add(type);
    if (type === 'IEND') break;
  }
  return Buffer.concat(kept);
}

/** One that is cut off is left out, so that the picture is damaged. */
function* chunksOf(bytes: Buffer): Generator<{ type: string; chunk: Buffer }> {
  let at = signatureBytes;
  while (at + frameBytes <= bytes.length) {
    const end = at + frameBytes + bytes.readUInt32BE(at);
    if (end > bytes.length) return;
    yield { type: bytes.toString('latin1', at + 4, at + 8), chunk: bytes.subarray(at, end) };
    at = end;
  }
}
