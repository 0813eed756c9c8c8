/** Values of custom fields, checked against the definitions of the process and kind that the entity is of. */
import { Inject, Injectable } from '@nestjs/common';
import type { Change, Work } from '../../command/change.js';
import type { Circumstances } from '../../command/circumstances.js';
import type { Command, SentCustomField } from '../../command/command.js';
import { customValue, isEmpty } from '../../command/custom-value.js';
import { isLinkAddress } from '../../command/link-address.js';
import { NoRules } from '../../command/no-rules.js';
import { ApiError, badMember } from '../../errors.js';
import type { Model, ResourceType } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import type { CustomFieldDefinition, CustomFieldGroup } from '../../query/meaning.js';
import { isInCalendar } from '../../texts/local-times.js';
import { nearest } from '../../texts/near.js';
import { processOf } from '../process/workflow-rules.js';
import { Catalogue } from './catalogue.js';
import { fieldsOf, named } from './fields-of-process.js';
import { heldDefinitions, holdAhead } from './held-definitions.js';
import { withHidden } from './hidden-pointers.js';
import { type Move, mayMove, movedValues, movesAmong } from './moved-values.js';
import { valuesOfParts } from './values-of-parts.js';

/** What an entity field points at, to be looked up once all values are read. */
interface Pointer {
  kind: string;
  id: number;
  path: string;
  /** Of the field. */
  name: string;
}

const linkSchemes = 'a link cannot be a script (javascript:, vbscript: or data:).';

@Injectable()
export class CustomValueRules extends NoRules {
  private readonly kinds: readonly string[];

  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly catalogue: Catalogue,
  ) {
    super();
    this.kinds = model.pointable.map(({ name }) => name);
  }

  ahead(commands: readonly Command[], work: Circumstances): Promise<void> {
    return holdAhead(commands, work, this.catalogue);
  }

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    const pointers: Pointer[] = [];
    const all = changes.some(mayMove) ? await movesAmong(changes, work) : [];
    const moves = new Map(all.map((move) => [move.change, move]));
    for (const change of changes) {
      const move = moves.get(change);
      if (!move && change.command.customFields.length === 0) continue;
      const held = await this.heldValues(change, move, work);
      const { values, pointers: own } = await this.assigned(change, held, move, work);
      keep(change, { ...held, ...values });
      pointers.push(...own);
    }
    await this.mustExist(pointers, work);
  }

  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    if (!changes.some(mayMove)) return;
    const moves = await movesAmong(changes, work);
    if (moves.length > 0) await valuesOfParts(moves, await this.definitions(moves[0]!.change, work), work);
  }

  /** Those that it has where it lies by now. An item that does not show a value is not found by it. */
  private async heldValues(change: Change, move: Move | undefined, work: Work): Promise<Values> {
    const before = (change.before?.custom_values ?? {}) as Values;
    if (move && !change.before?.custom_values) throw new Error('what moves has its values read');
    if (!move || Object.keys(before).length === 0) return before;
    const groups = await this.definitions(change, work);
    const [from, to] = [move.from, move.to].map((process) => fieldsOf(groups, change.resource, process));
    return movedValues(before, from!, to!);
  }

  /** What is sent, as it is to be stored. What was read of a field that is left behind is none of those here. */
  private async assigned(change: Change, held: Values, move: Move | undefined, work: Work) {
    const values: Record<string, unknown> = Object.create(null);
    const pointers: Pointer[] = [];
    const isGlobal = change.resource.settings.customFields === 'global';
    const to = await this.fields(change, isGlobal ? undefined : processOf(change, work), work);
    for (const sent of change.command.customFields) {
      const isOfOtherType = sent.type !== undefined && named(to, sent.name)?.type !== sent.type;
      if (move && isOfOtherType && (await this.wasRead(sent, move, work))) continue;
      const one = await valueSent(sent, { change, held, fields: to, kinds: this.kinds }, work).catch(async (error) => {
        const isRefusal = error instanceof ApiError;
        if (move && isRefusal && (await this.wasRead(sent, move, work))) return undefined;
        throw error;
      });
      if (!one) continue;
      const { name, stored } = one;
      const isStored = change.before !== undefined && !differs(held[name], stored);
      // Also one that is there already: who may not see it cannot have read it. People are seen by everyone, and
      // remembered.
      pointers.push(
        ...one.pointers.filter(({ kind }) => !isStored || !this.model.resource(kind).isA(this.model.person)),
      );
      if (Object.hasOwn(values, name) && differs(values[name], stored)) {
        // What is stored gives way to what changes.
        if (isStored) continue;
        if (!change.before || differs(held[name], values[name])) throw givenTwice(sent.path, name);
      }
      values[name] = stored;
    }
    return { values, pointers };
  }

  /** Whether it is what the item holds where it comes from, as far as the actor may know. */
  private async wasRead(sent: SentCustomField, { change, from }: Move, work: Work): Promise<boolean> {
    const held = (change.before?.custom_values ?? {}) as Values;
    const fields = await this.fields(change, from, work);
    const one = await valueSent(sent, { change, held, fields, kinds: this.kinds }, work).catch(() => undefined);
    if (!one || differs(held[one.name], one.stored)) return false;
    return (await this.missing(one.pointers, work)) === undefined;
  }

  private async fields(change: Change, process: number | undefined, work: Work) {
    return fieldsOf(await this.definitions(change, work), change.resource, process);
  }

  private definitions({ resource }: Change, work: Work): Promise<readonly CustomFieldGroup[]> {
    return heldDefinitions(resource, work, this.catalogue);
  }

  /** What a value points at must be there for the actor, as with any reference. */
  private async mustExist(pointers: readonly Pointer[], work: Work): Promise<void> {
    const missing = await this.missing(pointers, work);
    if (!missing) return;
    throw badMember(missing.path, `there is no ${missing.kind} with Id ${missing.id}, or access to it is forbidden.`);
  }

  private async missing(pointers: readonly Pointer[], work: Work): Promise<Pointer | undefined> {
    if (pointers.length === 0) return undefined;
    const wanted = new Map<ResourceType, number[]>();
    for (const { kind, id } of pointers) {
      const type = this.model.resource(kind);
      wanted.set(type, [...(wanted.get(type) ?? []), id]);
    }
    await work.look(wanted);
    return pointers.find(({ kind, id }) => !work.facts.of(this.model.resource(kind), id));
  }
}

const givenTwice = (path: string, name: string): ApiError =>
  badMember(path, `the custom field '${name}' is given twice, with two values.`);

interface Holder {
  change: Change;
  held: Values;
  /** Those that the entity has. */
  fields: readonly CustomFieldDefinition[];
  kinds: readonly string[];
}

async function valueSent(sent: SentCustomField, { change, held, fields, kinds }: Holder, work: Work) {
  const field = definitionOf(sent, fields, change.resource);
  const { name } = field;
  const before = held[name];
  if (isSentBack(before, field, sent.value, change.timeZone)) return { name, stored: before, pointers: [] };
  const value = customValue(sent.value, field, { path: sent.path, timeZone: change.timeZone }, kinds);
  const stored = value.also?.find((one) => one === before) ?? value.stored;
  const isOther = !change.before || differs(before, stored);
  if (field.isSystem && isOther)
    throw badMember(sent.path, `the custom field '${name}' is kept by the service and cannot be written.`);
  const address = (stored as { Url?: unknown } | null)?.Url;
  if (field.type === 'URL' && typeof address === 'string' && !isLinkAddress(address) && isOther)
    throw badMember(sent.path, linkSchemes);
  return {
    name,
    stored: field.target ? await withHidden({ sent: stored, before }, field, work) : stored,
    pointers: value.refersTo.map((to): Pointer => ({ ...to, path: sent.path, name })),
  };
}

function definitionOf(
  { name, path }: SentCustomField,
  fields: readonly CustomFieldDefinition[],
  resource: ResourceType,
): CustomFieldDefinition {
  const definition = named(fields, name);
  if (definition) return definition;
  const near = nearest(
    name,
    fields.map((field) => field.name),
  );
  throw badMember(
    path.replace(/\.Value$/, '.Name'),
    `'${resource.name}' has no custom field '${name}' in this process.${near ? ` Did you mean '${near}'?` : ''}`,
  );
}

/**
 * What was chosen stays when its option goes; of pointers this would tell of those that are hidden. A date that cannot
 * be shown reads as nothing.
 */
function isSentBack(
  before: unknown,
  { type, target, options }: CustomFieldDefinition,
  value: SentCustomField['value'],
  timeZone: string,
) {
  if (type === 'Date' && typeof before === 'string' && isEmpty(value)) return isHiddenDate(before, timeZone);
  if (target || value.kind !== 'text' || value.text !== before) return false;
  const word = value.text.trim().toLowerCase();
  return !options.some((option) => option.toLowerCase() === word);
}

function isHiddenDate(text: string, timeZone: string): boolean {
  const date = new Date(text);
  return !Number.isNaN(date.getTime()) && !isInCalendar(date, timeZone);
}

type Values = Readonly<Record<string, unknown>>;

/** What becomes other than it was; null takes a value away. */
function keep(change: Change, values: Values): void {
  const before = (change.before?.custom_values ?? {}) as Values;
  const names = [...new Set([...Object.keys(values), ...Object.keys(before)])];
  const changed = names.filter((name) => !change.before || differs(before[name], values[name]));
  if (changed.length > 0)
    change.values.customValues = Object.fromEntries(changed.map((name) => [name, values[name] ?? null]));
}

/** What is sent back as it was read changes nothing. */
const differs = (before: unknown, value: unknown): boolean => ordered(before ?? null) !== ordered(value ?? null);

/** JSON with the members of objects in one order; nothing is stored of those that are null. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part)
            .filter(([, value]) => value !== null)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : part,
  );
