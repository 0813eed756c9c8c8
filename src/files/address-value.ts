/** A parameter of the addresses that files have, in any case; empty where it is not there. */
import { misspeltParameter } from '../errors.js';
import { type ApiRequest, rawQuery } from '../http/request.js';
import { limits } from '../query/limits.js';
import { parameterTexts } from '../query/parameters.js';
import { nearest } from '../texts/near.js';

const names = ['AttachmentID', 'width', 'height', 'UserID'] as const;
type Name = (typeof names)[number];

/** As with lists, a misspelt name must not go unnoticed. Errors: 400, also for one that is given twice. */
export const addressValue = (request: ApiRequest, name: string): string =>
  parameterTexts(rawQuery(request), nameOf, limits.queryBytes)
    .get(name as Name)
    ?.trim() ?? '';

function nameOf(input: string): Name | undefined {
  const exact = names.find((name) => name.toLowerCase() === input.toLowerCase());
  if (exact) return exact;
  const near = nearest(input, names);
  if (near) throw misspeltParameter(input, near);
  return undefined;
}
