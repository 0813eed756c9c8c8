/** Goes on with the items of collections once their owners are stored: creates, changes and links them. */
import { badMember, notFound } from '../errors.js';
import { ownerReference } from '../model/collections.js';
import type { CollectionField, ReferenceField } from '../model/model.js';
import { type Change, current, currentValue, nothingRecorded, type Work } from './change.js';
import type { Circumstances, Locked } from './circumstances.js';
import type { Command, SentCollection, StoredItem } from './command.js';
import type { Fact } from './facts.js';
import { refersElsewhere } from './named-twice.js';
import { permitLink } from './permit.js';
import { permitBeside, permitHolders, permitOwners } from './permit-places.js';
import { permitJoined } from './permit-rights.js';
import { groupedBy } from './store.js';
import { together } from './together.js';
import { keyOf, saysMore, wantedBy } from './traverse.js';

interface Sent extends SentCollection {
  owner: Change;
  /** The collection itself, whose `stored` is filled. */
  sent: SentCollection;
}

/** What was locked, and the way that items take as their owners did. */
interface Applying {
  locked: ReadonlyMap<string, Locked>;
  applyBatch(
    commands: readonly Command[],
    locked: ReadonlyMap<string, Locked>,
    work: Circumstances,
  ): Promise<readonly Change[]>;
}

/** Items of one collection are applied together, whichever of the owners they belong to. */
export async function applyItems(changes: readonly Change[], applying: Applying, work: Circumstances): Promise<void> {
  const sent = changes.flatMap((owner): Sent[] =>
    owner.command.collections.map((collection) => ({ ...collection, owner, sent: collection })),
  );
  // Different kinds of items have nothing to do with one another: their statements travel together.
  await together(
    groupedBy(sent, ({ field }) => field.target.name).map(async (kind) => {
      const groups = groupedBy(kind, ({ field }) => field.name);
      // What a second collection of the kind names may be what the first one has just made.
      for (const [at, group] of groups.entries())
        for (const part of partsOf(group)) await applyGroup(part, { ...applying, isFirst: at === 0 }, work);
    }),
  );
}

/** Enough for statements to be worth it, and few enough to keep nobody waiting meanwhile. */
const itemsOfPart = 1000;

/** The items of one owner stay together. */
function partsOf(group: readonly Sent[]): Sent[][] {
  const parts: Sent[][] = [];
  let left = 0;
  for (const sent of group) {
    if (parts.length === 0 || left < sent.items.length) {
      parts.push([]);
      left = itemsOfPart;
    }
    parts.at(-1)!.push(sent);
    left -= sent.items.length;
  }
  return parts;
}

interface GroupApplying extends Applying {
  isFirst: boolean;
}

const applyGroup = (group: readonly Sent[], place: GroupApplying, work: Circumstances): Promise<void> =>
  group[0]!.field.via.kind === 'key' ? applyOwned(group, place, work) : applyLinked(group, place, work);

/** Items that refer to their owner. */
async function applyOwned(group: readonly Sent[], { locked, isFirst, applyBatch }: GroupApplying, work: Circumstances) {
  const reference = ownerReference(group[0]!.field)!;
  const commands = group.flatMap(({ owner, items }) =>
    items.map((item): Command => {
      const others = item.references.filter(({ field }) => field.writesTo !== reference.property);
      refuseOtherOwner(item, reference, owner);
      const own = { field: reference, to: { kind: 'id', id: owner.id! } as const };
      return {
        ...item,
        requestId: owner.command.requestId,
        references: [own, ...others],
        hasNewOwner: owner.isNew,
        followsOthers: !isFirst,
        ownedBy: reference.property,
      };
    }),
  );
  if (commands.length === 0) return;
  // Rules of the items ask about their owners, which nobody has looked up: they are what was just stored.
  work.facts.note(
    reference.target,
    group.map(({ owner }) => factOf(owner, work)),
  );
  const changes = await applyBatch(commands, locked, work);
  noteStored(
    group,
    changes.map(({ id, isNew }) => ({ id: id!, isNew })),
  );
}

/** A new owner has the items of the body that makes it, whatever they were read in. Errors: 400. */
function refuseOtherOwner(item: Command, { property }: ReferenceField, { isNew, resource, id }: Change): void {
  const other = isNew ? undefined : refersElsewhere(item, { property, id });
  if (!other) return;
  throw badMember(`${item.path}${other.field.name}`, `this is sent to a collection of ${resource.name} ${id}.`);
}

/** Items that a table of links joins to their owner: new ones are created first. */
async function applyLinked(group: readonly Sent[], { locked, applyBatch }: GroupApplying, work: Circumstances) {
  // An item with nothing but its Id is only linked.
  const changed = group.flatMap(({ owner, items }) =>
    items.filter((item) => item.id === undefined || saysMore(item)).map((item) => ({ owner, item })),
  );
  const commands = await besideOwners(changed, work);
  const changes = commands.length > 0 ? await applyBatch(commands, locked, work) : [];
  const ids = new Map(changed.map(({ item }, index) => [item, changes[index]!.id!]));
  const made = new Set(changes.filter(({ isNew }) => isNew).map(({ id }) => id!));
  const pairs = group.flatMap(({ owner, items }) => items.map((item): Pair => [owner.id!, ids.get(item) ?? item.id!]));
  noteStored(
    group,
    pairs.map(([, id]) => ({ id, isNew: made.has(id) })),
  );
  for (const { owner, field } of group) permitLink(owner, field);
  const owners = group.filter(({ owner }) => owner.before && !owner.resource.isGeneral);
  await permitOwners(
    owners.map(({ owner: { resource, before } }) => ({ resource, row: before! })),
    work,
  );
  const links = await link(group[0]!.field, pairs, work);
  const holders = holdersOf(group[0]!.field, links, made, locked);
  await permitHolders(group[0]!.field, holders, work);
  await permitJoined([...joinedOwners(group, links), ...holders], work);
  const ownerIds = new Set(links.map(({ owner }) => owner));
  touch(
    group
      .map(({ owner }) => owner)
      .filter(({ id, isNew, resource }) => !isNew && resource.isGeneral && ownerIds.has(id!))
      .map(({ id }) => id!),
    work,
  );
  await follow(group, links, work);
}

/** New items lie in the project of their owner unless they say otherwise. */
async function besideOwners(
  sent: readonly { owner: Change; item: Command }[],
  work: Circumstances,
): Promise<readonly Command[]> {
  const commands = sent.map(({ owner, item }): Command => {
    const field = item.resource.ofProperty('project');
    if (item.id !== undefined || field?.kind !== 'reference' || saysProject(item)) return item;
    const id = projectOf(owner, work);
    permitBeside(owner, id);
    return id === undefined ? item : { ...item, references: [{ field, to: { kind: 'id', id } }, ...item.references] };
  });
  const placed = commands.filter((command, at) => command !== sent[at]!.item);
  for (const { owner } of sent) if (isProject(owner)) work.facts.note(owner.resource, [factOf(owner, work)]);
  if (placed.length > 0) await work.look(wantedBy(placed));
  return commands;
}

const saysProject = ({ references, collections }: Command): boolean =>
  references.some(({ field }) => field.writesTo === 'project') ||
  collections.some(({ field }) => field.target.settings.lies === 'asProject');

const isProject = ({ resource }: Change): boolean => resource.settings.lies === 'asProject';

function projectOf(owner: Change, { facts }: Work): number | undefined {
  if (isProject(owner)) return owner.id;
  const sent = has(owner, 'project') ? current(owner, 'project') : undefined;
  return sent ?? facts.any(owner.id!, owner.command.resource.name)?.project ?? undefined;
}

/** What follows for tables of links that mean something to a family; nothing from links that were there. */
async function follow(group: readonly Sent[], joined: readonly Linked[], work: Circumstances): Promise<void> {
  const { via, name } = group[0]!.field;
  if (via.kind !== 'link' || joined.length === 0) return;
  const owners = new Map(group.map(({ owner }) => [owner.id, owner]));
  const links = joined.map(({ owner, item }) => ({
    ids: { [via.from]: owner, [via.to]: item },
    change: owners.get(owner),
    member: name,
  }));
  await work.common.links.linked(via.table, links, work);
}

export function factOf(owner: Change, { facts }: Work): Fact {
  const of = (property: string): number | undefined => (has(owner, property) ? current(owner, property) : undefined);
  const project = of('project');
  const fact = facts.any(owner.id!, owner.command.resource.name);
  // Where it lies with what it refers to, nobody has looked up its project.
  const besides = owner.command.references
    .map(({ field, to }) => (to.kind === 'id' ? facts.of(field.target, to.id) : undefined))
    .find((one) => one !== undefined && project !== undefined && one.project === project);
  return {
    id: owner.id!,
    kind: owner.resource.settings.entityTypeId,
    name: has(owner, 'name') ? currentValue<string>(owner, 'name') : undefined,
    project,
    process:
      of('process') ??
      (project === undefined
        ? undefined
        : facts.any(project, owner.resource.referenceOf('project').target.name)?.process) ??
      besides?.process ??
      fact?.process,
    release: of('release'),
    iteration: of('iteration'),
    teamIteration: of('teamIteration'),
    userStory: of('userStory'),
    feature: of('feature'),
    testPlan: of('testPlan'),
    role: of('role'),
    active: fact?.active ?? true,
  };
}

function has({ resource }: Change, property: string): boolean {
  const field = resource.ofProperty(property);
  return field !== undefined && field.kind !== 'collection' && Boolean(field.column);
}

function noteStored(group: readonly Sent[], stored: readonly StoredItem[]): void {
  let at = 0;
  for (const { sent, items } of group) {
    sent.stored?.push(...stored.slice(at, at + items.length));
    at += items.length;
  }
}

type Pair = readonly [owner: number, item: number];

/** What is linked already stays so. Returns the new links: an entity that is joined with another is changed. */
async function link(field: CollectionField, pairs: readonly Pair[], work: Work): Promise<Linked[]> {
  if (field.via.kind !== 'link' || pairs.length === 0) return [];
  const { table, from, to } = field.via;
  return work.rows<Linked>(
    `insert into "${table}" ("${from}", "${to}") select distinct a, b from unnest($1::bigint[], $2::bigint[]) as u(a, b)
     order by a, b on conflict do nothing returning "${from}" as owner, "${to}" as item`,
    [pairs.map(([owner]) => owner), pairs.map(([, item]) => item)],
  );
}

interface Linked {
  owner: number;
  item: number;
}

/** Those that something was joined to that was not, as far as they were there before. */
const joinedOwners = (group: readonly Sent[], links: readonly Linked[]): Locked[] =>
  group.flatMap(({ owner: { id, before, resource } }) =>
    before && links.some(({ owner }) => owner === id) ? [{ resource, row: before }] : [],
  );

/** The items that such links belong to. */
function holdersOf(
  { isInverse, target }: CollectionField,
  links: readonly Linked[],
  made: ReadonlySet<number>,
  locked: Applying['locked'],
): Locked[] {
  const ids = isInverse ? new Set(links.map(({ item }) => item)) : new Set<number>();
  return [...ids]
    .filter((id) => !made.has(id))
    .map((id) => {
      const row = locked.get(keyOf(target, id));
      // Deleted between look-up and lock.
      if (!row) throw notFound(target.name, id);
      return row;
    });
}

/** Whoever joins or separates entities is the last editor of the one whose collection is written. */
export function touch(ids: readonly number[], work: Work): void {
  if (ids.length === 0) return;
  const { send, actor } = work;
  send(
    `update general set modify_date = $2, last_editor_id = $3 where id = any($1::bigint[]) and ${nothingRecorded('general', work)}`,
    [ids, work.now(), actor.userId],
  );
}
