/** Values as agents write them, as bodies of the API: references by id or name, tags and custom fields as lists. */
import { asMarkdown } from '../client/work-items.js';
import { ownerReference } from '../model/collections.js';
import type { CollectionField, Field, ReferenceField, ResourceType } from '../model/model.js';
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

export interface Saving {
  readonly resource: ResourceType;
  /** Of what is changed. */
  readonly id?: number;
  readonly written: Written;
}

/** Errors: ToolError for what is no field, what is read only, and references by names of none or of several. */
export async function bodyOf({ resource, id, written }: Saving, context: ToolContext): Promise<Values> {
  if (namesInLists(resource, written.fields ?? {}) > mostNamesInLists)
    throw new ToolError(`In lists at most ${mostNamesInLists} references are given by name: give ids for the others.`);
  const body: Record<string, unknown> = {};
  const place: Place = { resource, context, project: () => projectOf({ resource, id, body }, context) };
  for (const [name, value] of projectFirst(Object.entries(written.fields ?? {}))) {
    const field = resource.field(name);
    if (!field) throw unknownField(resource, name);
    if (field.name in body) throw givenTwice(field.name);
    // The service passes them over, since clients send back what they have read.
    if (field.kind !== 'collection' && !field.isSettable && field.name !== 'Id')
      throw new ToolError(`${field.name} is read only: leave it out.`);
    body[field.name] = await writtenValue(field, value, place);
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

/** Other references may be those of its project. */
const projectFirst = <T>(fields: [string, T][]): [string, T][] =>
  fields.toSorted(([one], [other]) => Number(isProject(other)) - Number(isProject(one)));

const isProject = (name: string): boolean => name.toLowerCase() === 'project';

/** That is written, or else the one that the item is in. */
async function projectOf(
  { resource, id, body }: { resource: ResourceType; id?: number; body: Values },
  { api }: ToolContext,
): Promise<number | undefined> {
  if ('Project' in body) {
    const written = body.Project as { Id?: unknown } | null;
    return typeof written?.Id === 'number' ? written.Id : undefined;
  }
  if (id === undefined || !hasProject(resource)) return undefined;
  const { items } = await api.call<{ items: { project?: number }[] }>({
    method: 'GET',
    path: `/api/v2/${resource.name}/${id}`,
    query: { select: '{project:project.id}' },
  });
  return items[0]?.project;
}

const hasProject = (resource: ResourceType): boolean => resource.ofProperty('project')?.kind === 'reference';

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
  /** Asked for where a name is that of several. */
  project?(): Promise<number | undefined>;
}

async function writtenValue(field: Field, value: unknown, place: Place): Promise<unknown> {
  if (field.kind === 'reference') return referenceOf(field, value, place);
  if (field.kind === 'scalar' && field.scalar === 'richText' && typeof value === 'string') return asMarkdown(value);
  if (field.kind !== 'collection') return value;
  const items = itemsIn(value);
  if (!items) return value;
  const written: unknown[] = [];
  for (const item of items) written.push(await writtenItem(field, item, place));
  return written;
}

/** One that is named may stand without a list. */
const itemsIn = (value: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(value)) return value;
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? [value] : undefined;
};

async function writtenItem(field: CollectionField, item: unknown, place: Place): Promise<unknown> {
  const within = { ...place, resource: field.target };
  const key = takesLinks(field) && isValues(item) ? (nameAlone(item, field.target) ?? item) : item;
  if (isValues(key)) return itemOf(key, within);
  if (typeof key !== 'string' && typeof key !== 'number') return key;
  if (takesLinks(field)) return { Id: typeof key === 'number' ? key : await idNamed(field, key, place) };
  const reference = onlyReference(field);
  if (reference) return { [reference.name]: await referenceOf(reference, key, within) };
  if (typeof key === 'number') return { Id: key };
  const { name, nameField } = field.target;
  const fields = nameField ? `{"Name": ${JSON.stringify(cut(key))}}` : 'its fields in an object';
  throw new ToolError(`${field.name}: a new ${name} is ${fields}; for one that is there give its id as a number.`);
}

/** Its items are there already. */
const takesLinks = ({ via, joinedBy }: CollectionField): boolean => via.kind === 'link' || joinedBy !== undefined;

/** Beside that to its owner, what an item needs: such as the team of a link to a team. */
function onlyReference(field: CollectionField): ReferenceField | undefined {
  const owner = ownerReference(field);
  const needed = field.target.fields.filter(
    (one) => one.kind === 'reference' && one.isRequired && one.writesTo !== owner?.writesTo,
  );
  return needed.length === 1 ? (needed[0] as ReferenceField) : undefined;
}

/** What is referred to by nothing but its name, as in `{"Name": "Web Shop"}`. */
function nameAlone(value: Values, target: ResourceType): string | undefined {
  const [[name, text] = [], ...others] = Object.entries(value);
  const names = [target.labelField.name, 'Login'].map((one) => one.toLowerCase());
  const isName = others.length === 0 && name !== undefined && names.includes(name.toLowerCase());
  return isName && typeof text === 'string' ? text : undefined;
}

/** What its members are not called is for the service to say. */
async function itemOf(item: Values, place: Place): Promise<Values> {
  const members: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(item)) {
    const field = place.resource.field(name);
    members[name] = field ? await writtenValue(field, value, place) : value;
  }
  return members;
}

/** Each is asked for. */
const mostNamesInLists = 50;

function namesInLists(resource: ResourceType, values: Values): number {
  const counts = Object.entries(values).map(([name, value]) => {
    const field = resource.field(name);
    if (field?.kind !== 'collection') return 0;
    return sum((itemsIn(value) ?? []).map((item) => namesInItem(field.target, item)));
  });
  return sum(counts);
}

function namesInItem(target: ResourceType, item: unknown): number {
  if (typeof item === 'string') return 1;
  if (!isValues(item)) return 0;
  return nameAlone(item, target) === undefined ? namesIn(target, item) + namesInLists(target, item) : 1;
}

const namesIn = (resource: ResourceType, values: Values): number =>
  Object.entries(values).filter(
    ([name, value]) => typeof value === 'string' && resource.field(name)?.kind === 'reference',
  ).length;

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0);

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function referenceOf(field: ReferenceField, value: unknown, place: Place): Promise<unknown> {
  if (typeof value === 'number') return { Id: value };
  const name = isValues(value) ? nameAlone(value, field.target) : value;
  if (typeof name !== 'string') return value;
  // Of a workflow, which the service knows.
  if (field.target.settings.isNameable && field.target.ofProperty('workflow') && !isDigits(name)) return { Name: name };
  return { Id: await idNamed(field, name, place) };
}

/** By its id, or its name: a search in a project that is not there would find nothing. Errors: ToolError. */
export async function projectIn(context: ToolContext, input: number | string): Promise<number> {
  const resource = context.model.general;
  const { name, target } = resource.referenceOf('project');
  const place = { resource, context };
  if (typeof input === 'string') return idNamed({ name, target }, input, place);
  if ((await candidates(target, `id==${input}`, place)).length > 0) return input;
  throw new ToolError(
    `project: there is no Project with Id ${input}, or access to it is forbidden. Call list {"kind": "Project"} for those that there are.`,
  );
}

interface Candidate {
  readonly id: number;
  readonly label: string;
  readonly project?: string;
}

const mostCandidates = 6;

const isDigits = (text: string): boolean => /^\d{1,15}$/.test(text);

/** Agents write ids as texts at times, and people may write such names. */
async function idNamed(
  { name, target }: Pick<ReferenceField, 'name' | 'target'>,
  input: string,
  place: Place,
): Promise<number> {
  const id = isDigits(input) ? Number(input) : undefined;
  const matches = await candidates(target, namesOf(target, input), place, id);
  if (matches.length === 1) return matches[0]!.id;
  const label = cut(input);
  if (matches.length > 1) {
    const isId = matches.some((one) => one.id === id);
    const own = isId ? [] : await ofProject(target, namesOf(target, input), place);
    if (own.length === 1) return own[0]!.id;
    const ids = listed(own.length > 1 ? own : matches, (one) => `${one.id} (${inProject(one)})`);
    const why = isId ? `${label} is the name of one and the id of another` : `several are named ${label}`;
    throw new ToolError(`${name}: ${why}. Give one of the ids as a number: ${ids}.`);
  }
  const similar = await candidates(target, similarTo(target, input), place);
  const names = listed(similar, (one) => `${one.label} (id ${one.id})`);
  const next = names ? `Some that are similar: ${names}.` : `Call list {"kind": "${target.name}"} for their names.`;
  throw new ToolError(`${name}: there is no ${target.name} named ${label}. ${next}`);
}

const inProject = ({ label, project }: Candidate): string => cut(label) + (project ? ` of ${cut(project)}` : '');

function listed(matches: readonly Candidate[], spelled: (one: Candidate) => string): string {
  const shown = matches.slice(0, mostCandidates).map(spelled).join(', ');
  return matches.length > mostCandidates ? `${shown} and others` : shown;
}

/** Those of the project that is written to: each has its own Sprint 1. */
async function ofProject(target: ResourceType, names: string, place: Place): Promise<Candidate[]> {
  const project = hasProject(target) ? await place.project?.() : undefined;
  return project === undefined ? [] : candidates(target, `(${names}) and project.id==${project}`, place);
}

/** One more than are shown. */
async function candidates(
  target: ResourceType,
  names: string,
  { resource, context }: Place,
  id?: number,
): Promise<Candidate[]> {
  // Priorities and the like are those of one kind of item. Whether an id is of the right one, the service knows.
  const isOfKind = resource.isGeneral && target.ofProperty('entityType') && !target.isA(context.model.general);
  const named = isOfKind ? `(${names}) and entityType.name=='${resource.name}'` : names;
  const { items } = await context.api.call<{ items: Candidate[] }>({
    method: 'GET',
    path: `/api/v2/${target.name}`,
    query: {
      where: id === undefined ? named : `(${named}) or id==${id}`,
      select: `{id,label:${labelOf(target)}${hasProject(target) ? ',project:project.name' : ''}}`,
      take: String(mostCandidates + 1),
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
