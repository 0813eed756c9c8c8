/** Reads a body in the format its Content-Type names; what comes out is the same for both. */
import type { Sliced } from '../turns/slices.js';
import type { Charset } from './charset.js';
import { parseJson } from './parse-json.js';
import { parseXml, type RootNames } from './parse-xml.js';
import type { Body } from './payload.js';
import type { BodyBytes } from './utf8.js';

/** `charset` is that of its header. */
export const parseBody = (
  format: 'json' | 'xml',
  body: BodyBytes,
  names: RootNames,
  charset?: Charset,
): Sliced<Body> => (format === 'json' ? parseJson(body, charset) : parseXml(body, names, charset));
