/** The fields of a form that a page sent. Errors: 415 for any other body. */
import { unsupportedForm } from '../errors.js';
import type { ApiRequest } from '../http/request.js';

export function formOf({ headers, body }: ApiRequest): URLSearchParams {
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '');
  if (!isForm || !Buffer.isBuffer(body)) throw unsupportedForm();
  return new URLSearchParams(body.toString('utf8'));
}
