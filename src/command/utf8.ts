/** The text of a body: UTF-8 and nothing else, without its byte order mark. */
import { malformedBody } from '../errors.js';

export function utf8(body: Buffer, format: 'JSON' | 'XML'): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw malformedBody(format, 'it is not UTF-8.');
  }
}
