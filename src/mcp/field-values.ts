/** Values as agents write them, as bodies of the API: references by id or name, tags and custom fields as lists. */
import { asMarkdown } from '../client/work-items.js';
import type { ReferenceField, ResourceType } from '../model/model.js';
import { nearest } from '../texts/near.js';
import { cut } from '../texts/quoted-text.js';
import { labelOf, quoted } from './kinds.js';
import { type ToolContext, ToolError } from './tool.js';

type Values = Readonly<Record<string, unknown>>;

export interface Written {
  readonly fields?: Values;
  readonly tags?: readonly string[];
  readonly customFields?: Values;
}

/** Errors: ToolError for what is no field, what is read only, and references by names of none or of several. */
export async function bodyOf(resource: ResourceType, written: Written, context: ToolContext): Promise<Values> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(written.fields ?? {})) {
    const field = resource.field(name);
    if (!field) throw unknownField(resource, name);
    if (field.name in body) throw givenTwice(field.name);
    // The service passes them over, since clients send back what they have read.
    if (field.kind !== 'collection' && !field.isSettable && field.name !== 'Id')
      throw new ToolError(`${field.name} is read only: leave it out.`);
    if (field.kind === 'reference') body[field.name] = await referenceOf(field, value, { resource, context });
    else if (field.kind === 'scalar' && field.scalar === 'richText' && typeof value === 'string')
      body[field.name] = asMarkdown(value);
    else body[field.name] = value;
  }
  const { tags, customFields } = written;
  const lists = {
    ...(tags && { Tags: tags.join(', ') }),
    ...(customFields && { CustomFields: Object.entries(customFields).map(([Name, Value]) => ({ Name, Value })) }),
  };
  const twice = Object.keys(lists).find((name) => name in body);
  if (twice) throw givenTwice(twice);
  return { ...body, ...lists };
}

export const givenTwice = (name: string): ToolError => new ToolError(`${name} is given twice.`);

function unknownField(resource: ResourceType, input: string): ToolError {
  const near = nearest(
    input,
    resource.fields.map(({ name }) => name),
  );
  const next = near ? `Did you mean ${near}?` : `Call describe {"kind": "${resource.name}"} for its fields.`;
  return new ToolError(`${resource.name} has no field ${cut(input)}. ${next} Custom fields go into customFields.`);
}

interface Place {
  /** That has the reference. */
  readonly resource: ResourceType;
  readonly context: ToolContext;
}

async function referenceOf(field: ReferenceField, value: unknown, place: Place): Promise<unknown> {
  if (typeof value === 'number') return { Id: value };
  if (typeof value !== 'string') return value;
  // States belong to a workflow, which the service knows.
  if (field.target.name === 'EntityState' && !isDigits(value)) return { Name: value };
  return { Id: await idNamed(field, value, place) };
}

/** By its id, or its name. Errors: ToolError. */
export function projectIn(context: ToolContext, input: number | string): Promise<number> | number {
  if (typeof input === 'number') return input;
  const resource = context.model.resource('Assignable');
  return idNamed(resource.field('Project') as ReferenceField, input, { resource, context });
}

interface Candidate {
  readonly id: number;
  readonly label: string;
}

const mostCandidates = 6;

const isDigits = (text: string): boolean => /^\d{1,15}$/.test(text);

/** Agents write ids as texts at times, and people may write such names. */
async function idNamed({ name, target }: ReferenceField, input: string, place: Place): Promise<number> {
  const matches = await candidates(target, namesOf(target, input), place, isDigits(input) ? Number(input) : undefined);
  if (matches.length === 1) return matches[0]!.id;
  const label = cut(input);
  if (matches.length > 1) {
    const ids = matches.map((one) => `${one.id} (${cut(one.label)})`).join(', ');
    const isId = matches.some(({ id }) => String(id) === input);
    const why = isId ? `${label} is the name of one and the id of another` : `several are named ${label}`;
    throw new ToolError(`${name}: ${why}. Give one of the ids as a number: ${ids}.`);
  }
  const similar = await candidates(target, similarTo(target, input), place);
  const names = similar.map((one) => `${one.label} (id ${one.id})`).join(', ');
  const next = names ? `Some that are similar: ${names}.` : `Call list {"kind": "${target.name}"} for their names.`;
  throw new ToolError(`${name}: there is no ${target.name} named ${label}. ${next}`);
}

async function candidates(
  target: ResourceType,
  names: string,
  { resource, context }: Place,
  id?: number,
): Promise<Candidate[]> {
  // Priorities and the like are those of one kind of item. Whether an id is of the right one, the service knows.
  const isOfKind = resource.isGeneral && target.field('EntityType') && !target.isA(context.model.resource('General'));
  const named = isOfKind ? `(${names}) and entityType.name=='${resource.name}'` : names;
  const { items } = await context.api.call<{ items: Candidate[] }>({
    method: 'GET',
    path: `/api/v2/${target.name}`,
    query: {
      where: id === undefined ? named : `(${named}) or id==${id}`,
      select: `{id,label:${labelOf(target)}}`,
      take: String(mostCandidates),
    },
  });
  return items;
}

/** People go by their login, too. */
function namesOf(target: ResourceType, input: string): string {
  const names = [labelOf(target), ...(target.field('Login') ? ['login'] : [])];
  return names.map((one) => `${one}==${quoted(input)}`).join(' or ');
}

function similarTo(target: ResourceType, input: string): string {
  const words = (input.match(/[\p{L}\p{N}]{3,}/gu) ?? [input]).slice(0, 5);
  return words.map((word) => `${labelOf(target)}.contains(${quoted(word)})`).join(' or ');
}
