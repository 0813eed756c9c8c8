/** The write pipeline as the edge uses it: parse, resolve, apply in one transaction, answer through the read pipeline. */
import { Inject, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { apply } from '../command/apply.js';
import type { Change } from '../command/change.js';
import { parseBody } from '../command/parse-body.js';
import type { Body, Payload } from '../command/payload.js';
import { resolveCommand } from '../command/resolve-command.js';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { malformedBody, methodNotAllowed, unsupportedMedia } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import type { Item } from './answer.js';
import { mediaFormat } from './format.js';
import { type Ask, Reads } from './reads.js';
import type { ApiRequest } from './request.js';

/** Rules of a family, run within the transaction. */
export interface Hooks {
  beforeSave(change: Change): Promise<void>;
  afterSave(change: Change): Promise<void>;
}

@Injectable()
export class Writes {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly dataSource: DataSource,
    private readonly reads: Reads,
  ) {}

  async save(
    resource: ResourceType,
    id: number | undefined,
    request: ApiRequest,
    ask: Ask,
    hooks: Hooks,
  ): Promise<{ created: boolean; item: Item }> {
    const { timeZone } = this.config;
    const command = resolveCommand(one(bodyOf(resource, request)), resource, id, { path: '', timeZone });
    const { create, update } = resource.settings.operations;
    if (command.id === undefined ? !create : !update) throw methodNotAllowed('POST', ['GET', 'HEAD']);
    return this.dataSource.transaction(async (manager) => {
      const connection = await connectionOf(manager);
      const exists = (target: ResourceType, targetId: number) =>
        this.reads.exists(target, targetId, { ...ask, connection });
      const saved = await apply(command, { manager, actor: ask.actor, timeZone, hooks, exists });
      return { created: command.id === undefined, item: await this.reads.one(resource, saved, { ...ask, connection }) };
    });
  }
}

function bodyOf(resource: ResourceType, request: ApiRequest): Body {
  const type = request.headers['content-type'];
  const format = mediaFormat(type ?? '');
  if (!Buffer.isBuffer(request.body) || !format) {
    throw type === undefined || format
      ? malformedBody(format?.name === 'xml' ? 'XML' : 'JSON', 'it is empty.')
      : unsupportedMedia();
  }
  const others = [...ancestors(resource), ...resource.derived].map((kind) => kind.name);
  return parseBody(format.name, request.body, { entity: resource.name, collection: resource.collection, others });
}

const ancestors = (resource: ResourceType): ResourceType[] =>
  resource.base ? [resource.base, ...ancestors(resource.base)] : [];

function one(body: Body): Payload {
  if (body.kind === 'many') throw malformedBody('JSON', 'one entity is expected here, not a list.');
  return body.entity;
}

/** The connection of the transaction, so that the answer shows what the transaction wrote. */
async function connectionOf(manager: EntityManager): Promise<PoolClient> {
  return (await manager.queryRunner!.connect()) as PoolClient;
}
