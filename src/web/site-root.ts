/** The path that addresses of the service start with, without a slash at the end: empty unless BASE_URL names one. */
import type { BaseAddress } from '../http/base-address.js';
import type { ApiRequest } from '../http/request.js';

export const siteRoot = (base: BaseAddress, request: ApiRequest): string =>
  new URL(base.of(request)).pathname.replace(/\/$/, '');
