/** What requests of version 2 are answered with when they cannot be understood. */
import { type ApiError, badRequest } from '../../errors.js';
import { cut } from '../../texts/quoted-text.js';

/** `position` counts characters from 0 in the parameter's decoded value. */
export const expressionError = (message: string, parameter: string, position: number): ApiError =>
  badRequest(`${message}${/[.?]$/.test(message) ? '' : '.'} (${parameter}, at ${position})`, 'InvalidExpression');

export const noMember = (type: string, name: string, near?: string): string =>
  `Property '${cut(name)}' does not exist in '${type}'.${near ? ` Did you mean '${near}'?` : ''}`;

export const noMethod = (type: string, name: string, near?: string): string =>
  `Method '${cut(name)}' does not exist in '${type}'.${near ? ` Did you mean '${near}'?` : ''}`;

export const noDate = (text: string): string =>
  `'${cut(text)}' is no date; expected one such as '2026-01-31' or '2026-01-31T12:00:00'`;

export const doesNotFit =
  'A value does not fit its place in an expression: a text that is no number, date or identifier, a number or date out of range, or a text too long';

export const incompatible = (operator: string, left: string, right: string): string =>
  `Operator '${operator}' incompatible with operand types '${left}' and '${right}'.`;

export const unknownParameter = (name: string, names: readonly string[], near?: string): ApiError =>
  badRequest(
    `Unknown parameter '${cut(name)}'.${near ? ` Did you mean '${near}'?` : ''} Known: ${names.join(', ')}. Within a value & is written %26.`,
    'UnknownParameter',
  );

export const includeInVersion2 = (): ApiError =>
  badRequest(
    "Parameter 'include' belongs to version 1; here use select, for example select={id,name,project.name}.",
    'UnknownParameter',
  );
