/**
 * Creates and updates one entity at a time, in a transaction of its own or in one that it shares with others that came
 * with it.
 */
import { Inject, Injectable } from '@nestjs/common';
import { apply } from '../command/apply.js';
import { type Change, referenced } from '../command/change.js';
import type { Command } from '../command/command.js';
import { type BodyContext, resolveCommand } from '../command/resolve-command.js';
import { everyCommand } from '../command/traverse.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { OutcomeUnknown } from '../database/database-error.js';
import { WaitingRoom } from '../database/waiting-room.js';
import { ApiError } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import { inSlices } from '../turns/slices.js';
import { briefItem, type EntityName, type Saved } from './answer.js';
import { one } from './bodies.js';
import { CUSTOM_FIELDS, type CustomFields } from './family-tokens.js';
import { hasKey } from './idempotency.js';
import { type Ask, Reads } from './reads.js';
import type { ApiRequest } from './request.js';
import { SENT_FILES, type SentFiles } from './sent-files.token.js';
import { SharedAnswers } from './shared-answers.js';
import { WriteGroups } from './write-groups.js';
import { WriteTransactions, type Written } from './write-transactions.js';

interface Save {
  readonly resource: ResourceType;
  readonly command: Command;
  /** Makes the command anew: one that was applied is used up. */
  readonly again: () => Promise<Command>;
  readonly request: ApiRequest;
  readonly ask: Ask;
}

/** A longer body is worth a transaction of its own. */
const mostBytes = 16 * 1024;

@Injectable()
export class Saves {
  private readonly groups = new WriteGroups<Save, Saved>((saves, makeWay) => this.carryOut(saves, makeWay), goesWith);

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly reads: Reads,
    private readonly transactions: WriteTransactions,
    @Inject(CUSTOM_FIELDS) private readonly customFields: CustomFields,
    private readonly waiting: WaitingRoom,
    @Inject(SENT_FILES) private readonly files: SentFiles,
  ) {}

  async save(resource: ResourceType, id: number | undefined, request: ApiRequest, ask: Ask): Promise<Saved> {
    const payload = await one(resource, request);
    const again = (): Promise<Command> => inSlices(resolveCommand(payload, resource, id, this.place()));
    await this.reads.prepare(resource, ask);
    const command = await again();
    const { create, update } = resource.settings.operations;
    if (command.id === undefined ? !create : !update) throw refusedSave(resource, command.id);
    const save = { resource, command, again, request, ask };
    if (!mayShare(save) || this.files.areIn([command])) return this.alone(save);
    const key = `${ask.actor.userId} ${resource.name} ${command.id === undefined ? 'create' : 'update'}`;
    return this.waiting.during(
      ask.actor.userId,
      () => this.groups.join(key, save),
      () => this.groups.withdraw(key, save),
    );
  }

  place(): BodyContext {
    const { timeZone } = this.config;
    return { path: '', timeZone, isCustomField: (kind, name) => this.customFields.defines(kind, name) };
  }

  /** What cannot be stored together is stored one by one, so that one refusal is nobody else's. */
  private carryOut(saves: readonly Save[], makeWay: () => void): Promise<Saved>[] {
    if (saves.length === 1) return saves.map((save) => this.alone(save, makeWay));
    const together = this.together(saves, makeWay);
    return saves.map(async (save, at) => {
      try {
        return (await together)[at]!;
      } catch (error) {
        if (error instanceof OutcomeUnknown) throw error;
        return this.alone({ ...save, command: await save.again() });
      }
    });
  }

  /** `atCommit`: nothing is left to do but to commit and to answer. */
  private alone({ command, again, request, ask }: Save, atCommit?: () => void): Promise<Saved> {
    return this.files.during(
      [command],
      async () => [await again()],
      ask,
      (next) =>
        this.transactions.answered(request, ask, async (work) => {
          const changes = await apply(await next(work), work);
          atCommit?.();
          return this.written(changes[0]!, ask, this.reads);
        }),
    );
  }

  private together(saves: readonly Save[], atCommit: () => void): Promise<readonly Saved[]> {
    return this.transactions.answeredTogether(saves, async (work) => {
      const commands = saves.map(({ command }) => command);
      commands.forEach((command, at) => {
        command.requestId = saves[at]!.request.id;
      });
      const changes = await apply(commands, work);
      atCommit();
      const answers = new SharedAnswers(this.reads, saves[0]!.resource);
      const reads = { one: (_: ResourceType, id: number, ask: Ask) => answers.one(id, ask) };
      return changes.map((change, at) => this.written(change, saves[at]!.ask, reads));
    });
  }

  private written(change: Change, { format }: Ask, reads: Pick<Reads, 'one'>): Written {
    return {
      created: change.isNew,
      keepsSight: keepsSight([change]),
      read: (inside) => reads.one(change.command.resource, change.id!, inside),
      brief: () => briefItem(kindAndId(change), format),
    };
  }
}

/**
 * Not where it must find something, or is found again. What joins it with entities that are there, or names tags, is
 * stored by more than rows.
 */
function mayShare({ command, request }: Save): boolean {
  const { headers } = request;
  if (hasKey(request) || headers['if-match'] !== undefined || headers['if-none-match'] !== undefined) return false;
  if (Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) > mostBytes) return false;
  const items = command.collections.flatMap((collection) => collection.items);
  return (
    command.resource.root.settings.sharesTransactions &&
    [...everyCommand([command])].every(isPlain) &&
    [...everyCommand(items)].every(({ id }) => id === undefined)
  );
}

const isPlain = ({ tags, collections }: Command): boolean =>
  tags === undefined && collections.every(({ field }) => field.via.kind === 'key');

/** With the same rights, and about another entity. */
const goesWith = (first: Save, chosen: readonly Save[], { ask, command }: Save): boolean =>
  first.ask.actor === ask.actor &&
  (command.id === undefined || chosen.every((other) => other.command.id !== command.id));

export const kindAndId = ({ resource, id }: Change): EntityName => ({ type: resource.name, id: id! });

/** Administrators see everything, and members what lies in projects of theirs. */
export const keepsSight = (changes: readonly Change[]): boolean =>
  changes.every((change) => change.actor.isAdministrator || liesWithMember(change));

function liesWithMember(change: Change): boolean {
  const { resource, actor, isNew } = change;
  const project = isNew && resource.isGeneral ? referenced(change, 'project') : undefined;
  return project !== undefined && actor.projectIds.includes(project);
}

/** The address takes what the body does not ask for. */
function refusedSave({ collection }: ResourceType, id: number | undefined) {
  const what = id === undefined ? 'created; give the Id of one that exists' : 'changed; leave the Id out';
  return new ApiError('MethodNotAllowed', `${collection} cannot be ${what}.`, { Allow: 'GET, HEAD, POST' });
}
