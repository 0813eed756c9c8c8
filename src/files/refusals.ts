/** What requests for files are refused with, wherever they are sent to. */
import { ApiError, unavailable } from '../errors.js';

export const unsupportedUpload = (): ApiError =>
  new ApiError(
    'UnsupportedMediaType',
    'Send multipart/form-data in UTF-8 and without compression; resources take application/json and application/xml, too.',
  );

/** The disk is full, or the bucket is away. */
export const filesUnavailable = (): ApiError =>
  unavailable('Files cannot be stored or read at the moment. Try again later.', 30, 'files');
