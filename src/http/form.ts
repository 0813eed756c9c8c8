/** Bodies that are forms, sent by pages and by programs. */
import { unsupportedForm } from '../errors.js';
import type { ApiRequest } from './request.js';

export const isForm = ({ headers }: Pick<ApiRequest, 'headers'>): boolean => {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  return type.trim().toLowerCase() === 'application/x-www-form-urlencoded';
};

/** The form as it came. Errors: 415 for any other body. */
export function rawForm(request: ApiRequest): Buffer {
  if (!isForm(request) || !Buffer.isBuffer(request.body)) throw unsupportedForm();
  return request.body;
}

export const formFields = (request: ApiRequest): URLSearchParams =>
  new URLSearchParams(rawForm(request).toString('utf8'));
