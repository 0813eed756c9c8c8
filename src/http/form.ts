/** Bodies that are forms, sent by pages and by programs. */
import { isUtf8 } from 'node:buffer';
import { givenTwice } from '../command/payload.js';
import type { BodyBytes } from '../command/utf8.js';
import { badRequest, unsupportedMedia } from '../errors.js';
import { mediaType } from './format.js';
import { isBytes } from './read-body.js';
import type { ApiRequest } from './request.js';

export const isForm = ({ headers }: Pick<ApiRequest, 'headers'>): boolean =>
  mediaType(headers['content-type']) === 'application/x-www-form-urlencoded';

/** The form as it came. Errors: 415 for any other body. */
export function rawForm(request: ApiRequest): BodyBytes {
  if (!isForm(request) || !isBytes(request.body)) throw unsupportedMedia(['form']);
  return request.body;
}

/** Errors: 400 for what is not UTF-8 or given twice, 415. */
export function formFields(request: ApiRequest): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const piece of rawForm(request).toString('latin1').split('&')) {
    if (piece === '') continue;
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(piece)!.map(decoded) as [string, string, string];
    if (fields.has(name)) throw givenTwice(name);
    fields.set(name, value);
  }
  return fields;
}

/** Each character is a byte. */
function decoded(raw: string): string {
  const plain = raw.replaceAll('+', ' ').replace(/%([0-9a-f]{2})?/gi, (_, hex: string | undefined) => {
    if (hex === undefined) throw malformedForm();
    return String.fromCharCode(Number.parseInt(hex, 16));
  });
  const bytes = Buffer.from(plain, 'latin1');
  if (!isUtf8(bytes)) throw malformedForm();
  return bytes.toString('utf8');
}

const malformedForm = () => badRequest('The form is not valid percent-encoded UTF-8.', 'InvalidBody');
