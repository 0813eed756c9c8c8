/** Whether a read that failed on a replica may succeed on another server: not where that would answer the same. */
import { ApiError } from '../../errors.js';
import { tooLongCode } from '../database-error.js';

/** Took too long; is too long. */
const finalCodes: readonly unknown[] = ['57014', tooLongCode];

/** Values that do not fit; limits of every server. */
const finalClasses = /^(?:22|54)[0-9A-Z]{3}$/;

export function mayRunElsewhere(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  if (error instanceof ApiError || finalCodes.includes(code)) return false;
  return !(typeof code === 'string' && finalClasses.test(code));
}
