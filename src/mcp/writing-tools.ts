/** Tools that write: creating, changing, moving on, commenting, logging time. Nothing is deleted by tools. */
import { z } from 'zod';
import { addComment, itemWithId, logTime, moveItem, noteOn } from '../client/work-items.js';
import { camelCase } from '../model/camel-case.js';
import { bodyOf, givenTwice, type Saving } from './field-values.js';
import { commentText, customFields, fields, id, kind, longText, name, project, tags } from './inputs.js';
import { creatableKind, kindNamed } from './kinds.js';
import { linkTo, type Tool, type ToolContext, ToolError, tool } from './tool.js';
import { namingCustomFields } from './words-of-tools.js';

interface Saved {
  readonly Id: number;
  readonly Name?: string;
  readonly Tags?: string;
  readonly [reference: string]: unknown;
}

/** What an answer tells of what was written, as far as the kind has it. */
const shownFields = ['Name', 'Project', 'EntityState', 'Tags'] as const;

async function save(saving: Saving, context: ToolContext) {
  const { resource, id: ofEntity, written } = saving;
  const body = await bodyOf(saving, context);
  const shown = shownFields.filter((one) => resource.field(one));
  const stored = context.api.call<Saved>({
    method: 'POST',
    path: `/api/v1/${resource.collection}${ofEntity === undefined ? '' : `/${ofEntity}`}`,
    query: { include: `[Id${shown.map((one) => `,${one}`).join('')}]` },
    body,
  });
  const saved = await namingCustomFields(Object.keys(written.customFields ?? {}), stored);
  const members = shown.map((one) => [camelCase(one), labelIn(saved[one])] as const);
  const isItem = resource.isA(context.model.general);
  return {
    id: saved.Id,
    kind: resource.name,
    ...Object.fromEntries(members.filter(([, value]) => value !== undefined && value !== '')),
    ...(isItem && { link: linkTo(context, saved.Id) }),
    ...(shown.length > 0 && noteOn(saved)),
  };
}

const labelIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as { Name?: string }).Name : (value ?? undefined);

const create = tool({
  name: 'create',
  title: 'Create',
  description:
    'Creates an item: kind, name and project are enough for stories, bugs, tasks and the like (a Task needs the field UserStory). describe lists the fields of a kind.',
  input: z.strictObject({
    kind,
    name: name.optional(),
    project: project.optional(),
    description: longText.optional(),
    tags: tags.optional(),
    fields: fields.optional(),
    customFields: customFields.optional(),
  }),
  isWriting: true,
  run: async ({ kind: input, name: Name, project: Project, description: Description, ...others }, context) => {
    const given = Object.entries({ Name, Project, Description }).filter(([, value]) => value !== undefined);
    const resource = creatableKind(context, input);
    const twice = given.find(([name]) => Object.hasOwn(others.fields ?? {}, name));
    if (twice) throw givenTwice(twice[0]);
    const fields = { ...others.fields, ...Object.fromEntries(given) };
    if (Object.keys(fields).some((one) => one.toLowerCase() === 'id'))
      throw new ToolError('What is created gets an Id of its own: leave Id out, or call update to change an item.');
    return save({ resource, written: { ...others, fields } }, context);
  },
});

const update = tool({
  name: 'update',
  title: 'Update',
  description:
    'Changes fields of an item; others stay as they are. To change the state use move, which takes names of states. null empties a field.',
  input: z.strictObject({
    id,
    kind: kind.optional().describe('Needed only for what is no item: User, Time, Comment …'),
    fields: fields.optional(),
    tags: tags.optional(),
    customFields: customFields.optional(),
  }),
  isWriting: true,
  isReplacing: true,
  run: async ({ id: itemId, kind: input, ...written }, context) => {
    const { tags: _, ...others } = written;
    if (!written.tags && Object.values(others).every((one) => Object.keys(one ?? {}).length === 0))
      throw new ToolError('Nothing is to be changed: give fields, tags or customFields.');
    const isOther = ([one, value]: [string, unknown]) => one.toLowerCase() === 'id' && String(value) !== String(itemId);
    if (Object.entries(written.fields ?? {}).some(isOther))
      throw new ToolError('An Id never changes: leave Id out of fields.');
    const resource = kindNamed(context.model, input ?? (await itemWithId(context.api, itemId)).kind);
    return save({ resource, id: itemId, written }, context);
  },
});

const move = tool({
  name: 'move',
  title: 'Move',
  description: 'Moves an item to another state of its workflow, by the name of the state, such as In Progress or Done.',
  input: z.strictObject({ id, state: name }),
  isWriting: true,
  isReplacing: true,
  run: async ({ id: itemId, state }, context) => ({
    ...(await moveItem(context.api, itemId, state)),
    link: linkTo(context, itemId),
  }),
});

const comment = tool({
  name: 'comment',
  title: 'Comment',
  description: 'Adds a comment to an item, in the name of the caller.',
  input: z.strictObject({ id, text: commentText }),
  isWriting: true,
  run: async ({ id: itemId, text }, context) => ({
    ...(await addComment(context.api, itemId, text)),
    link: linkTo(context, itemId),
  }),
});

const log = tool({
  name: 'log_time',
  title: 'Log time',
  description: 'Logs hours that the caller has spent on an item.',
  input: z.strictObject({
    id,
    hours: z.number().min(0.0001).max(1000),
    remain: z
      .number()
      .min(0)
      .max(1000)
      .optional()
      .describe('Hours still to come in the role of the caller; 0 when left out'),
    text: longText.optional().describe('What was done'),
    date: z.iso.date().optional().describe('Such as 2026-01-31; today when left out'),
  }),
  isWriting: true,
  run: async ({ id: itemId, hours, remain, text, date }, context) => ({
    ...(await logTime(context.api, itemId, { hours, remain, text, date })),
    link: linkTo(context, itemId),
  }),
});

export const writingTools: readonly Tool[] = [create, update, move, comment, log];
