/**
 * Of what a body says several times of one field of an entity - by members that mean the same, or in several places -
 * what was only read gives way to what changes. Two different changes are refused: which of them should win? All of it
 * is decided before anything is moved. What is left is written once, where the entity is listed, or else first named
 * of the places that stay.
 */
import { badMember } from '../errors.js';
import { eachInSlices, inSlices, type Sliced } from '../turns/slices.js';
import { hiddenBehindNull, isStoredReference, isStoredValue, spelledValue, type Written } from './assign-values.js';
import type { Work } from './change.js';
import type { Circumstances, Locked } from './circumstances.js';
import { type Command, otherMeaning, type SentCustomField } from './command.js';
import { type Naming, namedTwice, namingsByEntity, refersElsewhere } from './named-twice.js';
import { keyOf } from './traverse.js';

/** An entity that is there, of which something is said several times. */
interface Entity {
  namings: readonly Naming[];
  /** By what is written. */
  fields: ReadonlyMap<string, Sent[]>;
}

/** One value of one field, where it is sent. */
interface Sent {
  naming: Naming;
  /** As the client calls the member; nothing where the place in a collection says it. */
  name?: string;
  value: string;
  written: Written;
  isStored(): boolean;
  /** Takes it out of the body, or from there to where else the entity is named. */
  drop(): void;
  moveTo?(other: Command): void;
}

type Act = () => void;

export async function giveWay(
  commands: readonly Command[],
  locked: ReadonlyMap<string, Locked>,
  work: Pick<Circumstances, 'actor' | 'facts' | 'look' | 'timeZone'>,
): Promise<void> {
  const entities = await inSlices(repeatedEntities(commands, locked, work));
  const hidden = hiddenBehindNull([...(await inSlices(contradictory(entities)))]);
  if (hidden.size > 0) await work.look(hidden);
  const acts = await inSlices(decided(entities));
  await eachInSlices(acts, (act) => act());
}

function* repeatedEntities(
  commands: readonly Command[],
  locked: ReadonlyMap<string, Locked>,
  work: Pick<Work, 'actor' | 'facts' | 'timeZone'>,
): Sliced<Entity[]> {
  const entities: Entity[] = [];
  for (const namings of (yield* namingsByEntity(commands)).values()) {
    yield;
    if (namings.length === 1 && !writesTwice(namings[0]!.command)) continue;
    const fields = new Map<string, Sent[]>();
    for (const naming of namings) {
      yield;
      const { command } = naming;
      const before = locked.get(keyOf(command.resource, command.id!))?.row;
      const written = { actor: work.actor, before, command, timeZone: work.timeZone };
      for (const [field, sent] of sentIn(naming, written, work)) {
        const all = fields.get(field);
        if (all) all.push(sent);
        else fields.set(field, [sent]);
      }
    }
    entities.push({ namings, fields });
  }
  return entities;
}

/** By two references that are written to one. */
const writesTwice = ({ references }: Command): boolean =>
  references.some(({ field }, at) => references.findIndex((other) => other.field.writesTo === field.writesTo) < at);

function* contradictory(entities: readonly Entity[]): Sliced<Set<Written>> {
  const different = new Set<Written>();
  for (const { fields } of entities) {
    for (const all of fields.values()) {
      yield;
      if (isDifferent(all)) for (const { written } of all) different.add(written);
    }
  }
  return different;
}

const isDifferent = (all: readonly Sent[]): boolean => all.some(({ value }) => value !== all[0]!.value);

function* decided(entities: readonly Entity[]): Sliced<Act[]> {
  const acts: Act[] = [];
  for (const { namings, fields } of entities) {
    const left: Sent[][] = [];
    const gone = new Set<Naming>();
    for (const all of fields.values()) {
      yield;
      const kept = isDifferent(all) ? all.filter((sent) => !sent.isStored()) : all;
      refuseOthers(kept);
      const others = new Set(all);
      for (const sent of kept) others.delete(sent);
      for (const sent of others) {
        acts.push(sent.drop);
        if (!sent.moveTo) gone.add(sent.naming);
      }
      left.push(kept);
    }
    for (const naming of gone) refuseToLose(naming);
    const place = placeFor(namings, gone);
    for (const kept of left) {
      yield;
      acts.push(...writtenOnce(kept, place));
    }
  }
  return acts;
}

function refuseOthers([first, ...others]: readonly Sent[]): void {
  const other = others.find(({ value }) => value !== first!.value);
  if (other) throw contradiction(other, first!);
}

function contradiction({ naming: { command }, name }: Sent, first: Sent) {
  if (name === undefined || first.name === undefined) return namedTwice(command);
  if (command === first.naming.command) return otherMeaning(command.path, name);
  const { resource, id, path } = command;
  return badMember(`${path}${name}`, `${resource.name} ${id} is in the body twice, with another value there.`);
}

/** Of an item that leaves its collection: what hangs on it, or another owner that it names, would be lost. */
function refuseToLose({ command, owner }: Naming): void {
  const hasItems = command.collections.some(({ items }) => items.length > 0);
  if (hasItems || refersElsewhere(command, owner!)) throw namedTwice(command);
}

function placeFor(namings: readonly Naming[], gone: ReadonlySet<Naming>): Command {
  const staying = namings.filter((naming) => !gone.has(naming));
  const place = staying.find(({ isTop }) => isTop) ?? staying[0];
  if (!place) throw namedTwice(namings.at(-1)!.command);
  return place.command;
}

/** Once, there; but to stand in a collection says of itself whom the item refers to. */
function writtenOnce(kept: readonly Sent[], place: Command): Act[] {
  if (kept.some(({ moveTo }) => !moveTo)) return [];
  const there = kept.find(({ naming }) => naming.command === place);
  const others = kept.filter((sent) => sent !== there).map(({ drop }) => drop);
  const [first] = kept;
  return there || !first ? others : [...others, () => first.moveTo!(place)];
}

function* sentIn(naming: Naming, written: Written, { facts }: Pick<Work, 'facts'>): Generator<[field: string, Sent]> {
  const { command, owner, within } = naming;
  const place = { naming, written };
  for (const sent of command.scalars) {
    const { name, property } = sent.field;
    const isStored = () => isStoredValue(written, sent);
    yield [
      property,
      { ...place, name, value: spelled(spelledValue(sent)), isStored, ...inList(sent, 'scalars', command) },
    ];
  }
  for (const sent of command.references) {
    const { name, writesTo } = sent.field;
    // Where it stands counts.
    if (writesTo === owner?.property) continue;
    const isStored = () => isStoredReference(written, sent, facts);
    yield [writesTo, { ...place, name, value: spelled(sent.to), isStored, ...inList(sent, 'references', command) }];
  }
  // Names and tags are compared with what is stored when they are carried out.
  const isStored = () => false;
  for (const [name, sent] of byName(command.customFields)) {
    const key = `custom field ${name}`;
    // What one place says twice is compared then, too.
    const value = spelled([...new Set(sent.map((one) => spelled(one.value)))]);
    yield [key, { ...place, name: sent[0]!.name, value, isStored, ...allInList(sent, command) }];
  }
  if (command.tags)
    yield ['tags', { ...place, name: 'Tags', value: spelled(command.tags), isStored, ...tagsOf(command) }];
  if (owner && within) yield [owner.property, placeOf(naming as Required<Naming>, written)];
}

/** To stand in a collection says whom an item refers to. */
function placeOf(naming: Required<Naming>, written: Written): Sent {
  const { command, owner, within } = naming;
  const { property, key, id } = owner;
  const { column } = command.resource.referenceOf(property);
  const value = id === undefined ? key : spelled({ kind: 'id', id });
  const isStored = () => written.before?.[column] === id;
  return { naming, written, value, isStored, drop: () => without(within.items, command) };
}

const spelled = (value: unknown): string => JSON.stringify(value);

type List = 'scalars' | 'references' | 'customFields';

const inList = <L extends List>(one: Command[L][number], list: L, command: Command) => ({
  drop: () => without(command[list] as unknown[], one),
  moveTo: (other: Command) => void (other[list] as unknown[]).push(one),
});

const allInList = (sent: readonly SentCustomField[], command: Command) => {
  const all = sent.map((one) => inList(one, 'customFields', command));
  return {
    drop: () => {
      for (const { drop } of all) drop();
    },
    moveTo: (other: Command) => {
      for (const { moveTo } of all) moveTo(other);
    },
  };
};

function byName(sent: readonly SentCustomField[]): Map<string, SentCustomField[]> {
  const groups = new Map<string, SentCustomField[]>();
  for (const one of sent) {
    const name = one.name.toLowerCase();
    const group = groups.get(name);
    if (group) group.push(one);
    else groups.set(name, [one]);
  }
  return groups;
}

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
