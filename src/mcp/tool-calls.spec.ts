/** What an agent is told to do about each refusal. */
import { expect, it } from 'vitest';
import { ApiRefusal } from '../client/api.js';
import { errorCodes, statusCodes, statusOf } from '../error-codes.js';
import { withNextStep } from './tool-calls.js';

it('tells the next step by the code or else the status', () => {
  const steps = errorCodes.map((code) => {
    const refusal = new ApiRefusal(statusCodes[statusOf(code)], 'Why.', 7, code);
    return `${code}: ${withNextStep(refusal).replace(/^Why\.\s*/, '')}`;
  });
  expect(steps.filter((one) => !one.endsWith(': '))).toMatchInlineSnapshot(`
    [
      "Unauthorized: The credentials are no longer good: ask the user to connect again.",
      "Forbidden: The user may not do this: ask the user, do not try again.",
      "NotFound: Use search to find the id of an item, and list for that of anything else.",
      "Conflict: Read the item with get, then try again.",
      "TooManyRequests: Wait 7 seconds, then try again.",
      "ServiceUnavailable: The service is busy: ask for less, or try again in a moment.",
      "UnknownResource: Use search to find the id of an item, and list for that of anything else.",
      "UnknownAddress: Use search to find the id of an item, and list for that of anything else.",
      "AdministratorsOnly: The user may not do this: ask the user, do not try again.",
      "NotPermitted: The user may not do this: ask the user, do not try again.",
      "ReadOnlyToken: The user may not do this: ask the user, do not try again.",
      "ForeignOrigin: The user may not do this: ask the user, do not try again.",
      "WrongPassword: The user may not do this: ask the user, do not try again.",
      "InUse: The user may not do this: ask the user, do not try again.",
      "AlreadyExists: Use list to find it, or give another value.",
      "RateLimited: Wait 7 seconds, then try again.",
      "LoginLocked: Wait 7 seconds, then try again.",
      "FilesUnavailable: The service is busy: ask for less, or try again in a moment.",
      "SignOnUnavailable: The service is busy: ask for less, or try again in a moment.",
      "Busy: The service is busy: ask for less, or try again in a moment.",
      "TookTooLong: The service is busy: ask for less, or try again in a moment.",
      "OutcomeUnknown: The connection to the database broke: it may be stored. Look with get or list before you do it again.",
    ]
  `);
});
