/** The caller as he is now, for requests that take long: rights may be over since their beginning. */
import type { ApiRequest } from './request.js';

/**
 * Without a promise where the caller is known from a moment ago, or nobody in particular. Errors: 401, 403, 429, 503.
 */
export const renewActor = (request: ApiRequest): void | Promise<void> => request.admission?.again(request);
