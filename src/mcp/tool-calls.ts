/**
 * The tools as the protocol lists and calls them. What goes wrong in one is answered with what to do next.
 */
import { z } from 'zod';
import { ApiRefusal } from '../client/api.js';
import { ApiError, internalFault } from '../errors.js';
import { nearest } from '../texts/near.js';
import { cut } from '../texts/quoted-text.js';
import { readingTools } from './reading-tools.js';
import { answerLimits } from './short-answers.js';
import { type Caller, type Tool, ToolError } from './tool.js';
import { writingTools } from './writing-tools.js';

const tools: readonly Tool[] = [...readingTools, ...writingTools];

export interface Outcome {
  [member: string]: unknown;
  content: { type: 'text'; text: string }[];
  isError?: true;
}

/** Whoever may only read sees those that read. */
export const listedTools = (isReadOnly: boolean) =>
  tools.flatMap((one, at) => (isReadOnly && one.isWriting ? [] : [definitions[at]!]));

const definitions = tools.map(({ name, title, description, input, isWriting, isReplacing = false }) => ({
  name,
  title,
  description,
  inputSchema: z.toJSONSchema(input, { io: 'input' }) as { type: 'object' },
  annotations: { title, readOnlyHint: !isWriting, destructiveHint: isReplacing, openWorldHint: false },
}));

/** Undefined: there is no such tool. */
export async function callTool(name: string, input: unknown, caller: Caller): Promise<Outcome | undefined> {
  const called = tools.find((one) => one.name === name);
  if (!called) return undefined;
  if (caller.isReadOnly && called.isWriting) return failure('This access token may only read.');
  try {
    const checked = called.input.safeParse(input ?? {});
    if (!checked.success) return failure(complaints(checked.error));
    const unfit = unfitText(checked.data);
    if (unfit) return failure(misfits([`${cut(unfit.path.join('.'))}: ${unfit.why}`]));
    return success(await called.run(checked.data, caller));
  } catch (error) {
    return failure(messageOf(error, caller));
  }
}

/** Of our own faults nothing is shown. */
function messageOf(error: unknown, { onFault }: Caller): string {
  if (error instanceof ToolError || error instanceof ApiError) return error.message;
  if (error instanceof ApiRefusal) return withNextStep(error);
  onFault(error);
  return internalFault().message;
}

export function unknownTool(name: string): string {
  const names = tools.map((one) => one.name);
  const near = nearest(name, names);
  return `There is no tool ${cut(name)}. ${near ? `Did you mean ${near}?` : `Tools: ${names.join(', ')}.`}`;
}

function success(result: unknown): Outcome {
  const text = JSON.stringify(result);
  if (text.length <= answerLimits.answer * 2) return { content: [{ type: 'text', text }] };
  return failure(`The answer has ${text.length} characters: ask for fewer fields, or for fewer items by take.`);
}

const failure = (text: string): Outcome => ({ isError: true, content: [{ type: 'text', text }] });

const complaints = (error: z.ZodError): string => {
  const lines = error.issues
    .slice(0, 5)
    .map((issue) => `${cut(issue.path.join('.')) || 'arguments'}: ${messageOfIssue(issue)}`);
  return misfits(lines);
};

const misfits = (lines: readonly string[]): string =>
  `The arguments do not fit: ${lines.join('; ')}. See the input schema of the tool.`;

interface UnfitText {
  readonly path: readonly string[];
  readonly why: string;
}

/**
 * What no text holds. The API would tell the place in a body that the agent never saw; and half of a character becomes
 * another one in an address or a form.
 */
function unfitText(value: unknown): UnfitText | undefined {
  if (typeof value === 'string') {
    const why = reasonAgainst(value);
    return why === undefined ? undefined : { path: [], why };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, one] of Object.entries(value)) {
    const why = reasonAgainst(name);
    if (why !== undefined) return { path: [name.replaceAll('\0', '').toWellFormed()], why };
    const unfit = unfitText(one);
    if (unfit) return { ...unfit, path: [name, ...unfit.path] };
  }
  return undefined;
}

function reasonAgainst(text: string): string | undefined {
  if (text.includes('\0')) return 'the character NUL is not allowed';
  return text.isWellFormed() ? undefined : 'half of a surrogate pair is no character';
}

/** Names that are not known may be thousands. */
function messageOfIssue(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message.slice(0, 500);
  const names = issue.keys.slice(0, 3).map((key) => JSON.stringify(cut(key)));
  const others = issue.keys.length - names.length;
  return `Unrecognized key${issue.keys.length > 1 ? 's' : ''}: ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** What an agent can do about a refusal, by its code or else its status. */
const nextSteps: Readonly<Record<number | string, string>> = {
  401: 'The credentials are no longer good: ask the user to connect again.',
  403: 'The user may not do this: ask the user, do not try again.',
  404: 'Use search to find the id of an item, and list for that of anything else.',
  409: 'Read the item with get, then try again.',
  503: 'The service is busy: ask for less, or try again in a moment.',
  AlreadyExists: 'Use list to find it, or give another value.',
  // Their messages tell it.
  DatabaseUnavailable: '',
  ChangedMeanwhile: '',
};

/** The API tells of keys, which no tool takes. */
const outcomeUnknown =
  'The connection to the database broke: it may be stored. Look with get or list before you do it again.';

/** A reference in a body that leads to nothing is no 404. */
const isMissing = (message: string): boolean => message.endsWith(', or access to it is forbidden.');

export function withNextStep({ status, code, message, retryAfter }: ApiRefusal): string {
  if (code === 'OutcomeUnknown') return outcomeUnknown;
  if (status === 429) return `${message} Wait ${retryAfter ?? 1} seconds, then try again.`;
  const next = nextSteps[code ?? ''] ?? nextSteps[isMissing(message) ? 404 : status];
  return next ? `${message} ${next}` : message;
}
