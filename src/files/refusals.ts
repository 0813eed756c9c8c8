/** What requests for files are refused with, wherever they are sent to. */
import { type ApiError, unavailable } from '../errors.js';

/** The disk is full, or the bucket is away. */
export const filesUnavailable = (): ApiError =>
  unavailable('Files cannot be stored or read at the moment. Try again later.', 30, 'files');
