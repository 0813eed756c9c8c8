/**
 * Of what a body says several times of one field of an entity - by members that mean the same, or in several places -
 * what was only read gives way to what changes. Two different changes are refused: which of them should win? What is
 * left is written once, where the entity is listed, or else named first.
 */
import { badMember } from '../errors.js';
import { hiddenBehindNull, isStoredReference, isStoredValue, type Written } from './assign-values.js';
import type { Work } from './change.js';
import type { Circumstances, Locked } from './circumstances.js';
import { type Command, otherMeaning } from './command.js';
import { type Naming, namedTwice, namingsByEntity } from './named-twice.js';
import { keyOf } from './traverse.js';

/** One value of one field, where it is sent. */
interface Sent {
  command: Command;
  /** As the client calls the member; nothing where the place in a collection says it. */
  name?: string;
  value: string;
  isStored(): boolean;
  /** Takes it out of the body, or from there to where else the entity is named. */
  drop(): void;
  moveTo?(other: Command): void;
}

export async function giveWay(
  commands: readonly Command[],
  locked: ReadonlyMap<string, Locked>,
  work: Pick<Circumstances, 'actor' | 'facts' | 'look' | 'timeZone'>,
): Promise<void> {
  const several = [...namingsByEntity(commands).values()].filter(saySomethingTwice);
  const written = ({ command }: Pick<Naming, 'command'>): Written => {
    const before = locked.get(keyOf(command.resource, command.id!))?.row;
    return { actor: work.actor, before, command, timeZone: work.timeZone };
  };
  const fields = several.flatMap((namings) => {
    const place = (namings.find(({ isTop }) => isTop) ?? namings[0]!).command;
    return sentByField(namings, written, work).map((all) => ({ all, place }));
  });
  const different = fields
    .filter(({ all }) => isDifferent(all))
    .flatMap(({ all }) => all.map(({ command }) => command));
  if (different.length > 0) await work.look(hiddenBehindNull(different.map((command) => written({ command }))));
  for (const { all, place } of fields) settle(all, place);
}

/** In two places, or by two references that are written to one. */
const saySomethingTwice = (namings: readonly Naming[]): boolean =>
  namings.length > 1 || writesTwice(namings[0]!.command);

const writesTwice = ({ references }: Command): boolean =>
  references.some(({ field }, at) => references.findIndex((other) => other.field.writesTo === field.writesTo) < at);

const isDifferent = (all: readonly Sent[]): boolean => all.some(({ value }) => value !== all[0]!.value);

function settle(all: readonly Sent[], place: Command): void {
  const left = isDifferent(all) ? all.filter((sent) => !sent.isStored()) : all;
  const [first, ...others] = left;
  const other = others.find(({ value }) => value !== first!.value);
  if (other) throw contradiction(other, first!);
  for (const sent of all) if (!left.includes(sent)) sent.drop();
  if (left.some(({ moveTo }) => !moveTo)) return;
  for (const sent of others) sent.drop();
  if (first && first.command !== place) {
    first.drop();
    first.moveTo!(place);
  }
}

function contradiction({ command, name }: Sent, first: Sent) {
  if (name === undefined || first.name === undefined) return namedTwice(command);
  if (command === first.command) return otherMeaning(command.path, name);
  const { resource, id, path } = command;
  return badMember(`${path}${name}`, `${resource.name} ${id} is in the body twice, with another value there.`);
}

function sentByField(
  namings: readonly Naming[],
  written: (naming: Naming) => Written,
  work: Pick<Work, 'facts'>,
): Sent[][] {
  const fields = new Map<string, Sent[]>();
  for (const naming of namings) {
    for (const [field, sent] of sentIn(naming, written(naming), work)) {
      const all = fields.get(field);
      if (all) all.push(sent);
      else fields.set(field, [sent]);
    }
  }
  return [...fields.values()];
}

function* sentIn(naming: Naming, written: Written, { facts }: Pick<Work, 'facts'>): Generator<[field: string, Sent]> {
  const { command, owner, within } = naming;
  for (const sent of command.scalars) {
    const { name, property } = sent.field;
    const isStored = () => isStoredValue(written, sent);
    yield [property, { command, name, value: spelled(sent.value), isStored, ...inList(sent, 'scalars', command) }];
  }
  for (const sent of command.references) {
    const { name, writesTo } = sent.field;
    // Where it stands counts.
    if (writesTo === owner?.property) continue;
    const isStored = () => isStoredReference(written, sent, facts);
    yield [writesTo, { command, name, value: spelled(sent.to), isStored, ...inList(sent, 'references', command) }];
  }
  // Names and tags are compared with what is stored when they are carried out.
  const isStored = () => false;
  for (const sent of command.customFields) {
    const { name, value } = sent;
    const key = `custom field ${name.toLowerCase()}`;
    yield [key, { command, name, value: spelled(value), isStored, ...inList(sent, 'customFields', command) }];
  }
  if (command.tags)
    yield ['tags', { command, name: 'Tags', value: spelled(command.tags), isStored, ...tagsOf(command) }];
  if (owner && within) yield [owner.property, placeOf(naming as Required<Naming>, written, facts)];
}

/** To stand in a collection says whom an item refers to. */
function placeOf(
  { command, owner, within: { items } }: Required<Naming>,
  written: Written,
  facts: Work['facts'],
): Sent {
  const { property, key, id } = owner;
  const { column } = command.resource.referenceOf(property);
  const value = id === undefined ? key : spelled({ kind: 'id', id });
  const isStored = () => written.before?.[column] === id && isOnlyRead(written, facts);
  return { command, value, isStored, drop: () => without(items, command) };
}

const spelled = (value: unknown): string => JSON.stringify(value);

type List = 'scalars' | 'references' | 'customFields';

const inList = <L extends List>(one: Command[L][number], list: L, command: Command) => ({
  drop: () => without(command[list] as unknown[], one),
  moveTo: (other: Command) => void (other[list] as unknown[]).push(one),
});

const tagsOf = (command: Command) => {
  const { tags } = command;
  return {
    drop: () => void delete command.tags,
    moveTo: (other: Command) => {
      other.tags = tags;
    },
  };
};

function without<T>(list: T[], one: T): void {
  const at = list.indexOf(one);
  if (at >= 0) list.splice(at, 1);
}

/** Those of the commands that change nothing of what is there, as far as can be told before they are carried out. */
export async function onlyRead(
  sent: readonly Pick<Written, 'before' | 'command'>[],
  { actor, facts, look, timeZone }: Pick<Work, 'actor' | 'facts' | 'look' | 'timeZone'>,
): Promise<Set<Command>> {
  const there = sent.filter(({ before }) => before !== undefined);
  const hidden = hiddenBehindNull(there);
  if (hidden.size > 0) await look(hidden);
  const read = there.filter((one) => isOnlyRead({ ...one, actor, timeZone }, facts));
  return new Set(read.map(({ command }) => command));
}

function isOnlyRead(written: Written, facts: Work['facts']): boolean {
  const { scalars, references, collections, customFields, tags } = written.command;
  return (
    scalars.every((sent) => isStoredValue(written, sent)) &&
    references.every((sent) => isStoredReference(written, sent, facts)) &&
    collections.every(({ items }) => items.length === 0) &&
    customFields.length === 0 &&
    tags === undefined
  );
}
