/** Bodies that are forms, sent by pages and by programs. */
import type { BodyBytes } from '../command/utf8.js';
import { unsupportedForm } from '../errors.js';
import { mediaType } from './format.js';
import { isBytes } from './read-body.js';
import type { ApiRequest } from './request.js';

export const isForm = ({ headers }: Pick<ApiRequest, 'headers'>): boolean =>
  mediaType(headers['content-type']) === 'application/x-www-form-urlencoded';

/** The form as it came. Errors: 415 for any other body. */
export function rawForm(request: ApiRequest): BodyBytes {
  if (!isForm(request) || !isBytes(request.body)) throw unsupportedForm();
  return request.body;
}

export const formFields = (request: ApiRequest): URLSearchParams =>
  new URLSearchParams(rawForm(request).toString('utf8'));
