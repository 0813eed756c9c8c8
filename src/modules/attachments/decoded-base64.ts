/** The bytes that the member `Content` holds. Errors: 400. */
import { type Change, refuse } from '../../command/change.js';

export function decodedBase64(change: Change): Buffer {
  const { base64 } = change.values;
  if (typeof base64 !== 'string')
    throw refuse(change, 'Content', 'the bytes of the file in base64 are needed; or send multipart/form-data.');
  const text = base64.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0)
    throw refuse(change, 'Content', 'this is no base64.');
  return Buffer.from(text, 'base64');
}
