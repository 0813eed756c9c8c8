/** Reads the one base64 spelling of bytes, or of a UTF-8 text; undefined for anything else. */
import { isUtf8 } from 'node:buffer';

export function base64Text(encoded: string): string | undefined {
  const bytes = base64Bytes(encoded);
  return bytes && isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

export function base64Bytes(encoded: string): Buffer | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  // Node skips what is no base64 and forgives loose bits at the end, so only what it writes back the same is taken.
  const canonical = bytes.toString('base64');
  return encoded === canonical || encoded === unpadded(canonical) ? bytes : undefined;
}

/** The padding says nothing the length does not; some clients leave it out. */
const unpadded = (canonical: string): string => canonical.replace(/=+$/, '');
