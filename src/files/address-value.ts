/** A parameter of the addresses that files have, in any case; empty where it is not there. */
import { type ApiRequest, rawQuery } from '../http/request.js';

export function addressValue(request: ApiRequest, name: string): string {
  for (const [given, value] of new URLSearchParams(rawQuery(request))) {
    if (given.toLowerCase() === name.toLowerCase()) return value.trim();
  }
  return '';
}
