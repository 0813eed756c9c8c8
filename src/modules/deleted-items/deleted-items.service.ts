/** Lists what is deleted and restores it: for administrators only. */
import { Inject, Injectable } from '@nestjs/common';
import type { Restoral } from '../../command/change.js';
import { type RestoreTarget, restore } from '../../command/restore.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { PRIMARY_POOL } from '../../database/pools.js';
import { notDeleted, onlyAdministrators, uselessParameter } from '../../errors.js';
import { Batch, briefBatch, briefItem, type EntityName, Item } from '../../http/answer.js';
import { jsonFormat } from '../../http/format.js';
import type { Ask } from '../../http/reads.js';
import { type ApiRequest, parametersOf } from '../../http/request.js';
import { idOf, ResourceService } from '../../http/resource.service.js';
import type { ResourceType } from '../../model/model.js';
import { type Parameters, parsePage } from '../../query/parameters.js';
import { Reader, type ReadPool } from '../../query/reader.js';
import type { DeletedList, Wanted } from './deleted-lists.js';
import { manyTargets, oneTarget } from './undelete-body.js';

@Injectable()
export class DeletedItemsService extends ResourceService {
  @Inject(CONFIG) private readonly config!: Config;
  @Inject(PRIMARY_POOL) private readonly pool!: ReadPool;
  /**
   * Lists are asked for rarely, of any number of rows: a plan kept since there were few would take minutes for many.
   */
  private readonly reader = new Reader({ preparedStatements: false, planBytes: 0 });

  /** A JSON array, whatever format is asked for. */
  async list(list: DeletedList, request: ApiRequest): Promise<Item> {
    request.format = jsonFormat;
    mustAdminister(request);
    const wanted = wantedBy(parametersOf(request));
    const ask = this.ask(request);
    const statement = list(wanted, { dates: ask.dates, utc: this.config.timeZone === 'UTC' });
    const [row] = await this.reader.rows(statement, ask, this.pool);
    return new Item(row![0] as string);
  }

  /** In JSON, whatever format is asked for. */
  async restore(type: 'Project' | 'User', id: string, request: ApiRequest): Promise<Item> {
    request.format = jsonFormat;
    mustAdminister(request);
    const target = { resource: this.model.resource(type), id: idOf(id, (text) => notDeleted(type, text)), path: '' };
    const answer = ([restoral]: readonly Restoral[]) => new Item(restoredText(restoral!));
    return (await this.restored([target], request, async (_, restorals) => answer(restorals), answer)) as Item;
  }

  /** Answers as a save does. */
  async undelete(request: ApiRequest): Promise<Item | Batch> {
    mustAdminister(request);
    const target = await oneTarget(request, this.model);
    await this.reads.prepare(target.resource, this.ask(request));
    return this.restored(
      [target],
      request,
      (inside) => this.reads.one(target.resource, target.id, inside),
      ([restoral]) => briefItem(kindAndId(restoral!), request.format!.name),
    );
  }

  async undeleteAll(request: ApiRequest): Promise<Item | Batch> {
    mustAdminister(request);
    const targets = await manyTargets(request, this.model, this.config.bulkLimit);
    const types = [...new Set(targets.map(({ resource }) => resource))];
    for (const type of types) await this.reads.prepare(type, this.ask(request));
    return this.restored(
      targets,
      request,
      (inside) => this.batch(targets, types, inside),
      (restorals) => briefBatch(collectionOf(types), restorals.map(kindAndId), request.format!.name),
    );
  }

  private async restored(
    targets: readonly RestoreTarget[],
    request: ApiRequest,
    read: (inside: Ask, restorals: readonly Restoral[]) => Promise<Item | Batch>,
    brief: (restorals: readonly Restoral[]) => Item | Batch,
  ): Promise<Item | Batch> {
    const { answer } = await this.writes.answered(request, this.ask(request), async (work) => {
      const restorals = await restore(targets, work);
      return {
        created: false,
        keepsSight: true,
        read: (inside) => read(inside, restorals),
        brief: () => brief(restorals),
      };
    });
    return answer;
  }

  /** Each as an entity of the type it was sent as, in the order of the request. */
  private async batch(targets: readonly RestoreTarget[], types: readonly ResourceType[], inside: Ask): Promise<Batch> {
    const texts = new Map<RestoreTarget, string>();
    for (const type of types) {
      const own = targets.filter(({ resource }) => resource === type);
      const read = await this.reads.many(
        type,
        own.map(({ id }) => id),
        inside,
      );
      own.forEach((target, at) => {
        texts.set(target, read[at]!);
      });
    }
    return new Batch(
      collectionOf(types),
      targets.map((target) => texts.get(target)!),
    );
  }
}

const kindAndId = ({ resource, id }: Restoral): EntityName => ({ type: resource.name, id });

function mustAdminister({ actor }: ApiRequest): void {
  if (!actor.isAdministrator) throw onlyAdministrators('see deleted items and restore them');
}

/** The root element in XML: the type that all have in common, if there is one. */
function collectionOf(types: readonly ResourceType[]): string {
  const [first] = types;
  for (let type: ResourceType | undefined = first; type; type = type.base) {
    const common = type;
    if (types.every((one) => one.isA(common))) return common.collection;
  }
  return 'Entities';
}

/** Without `take` and `skip` all of them, as clients have always had it. */
function wantedBy(parameters: Parameters): Wanted {
  const useless = notHere.find((name) => parameters.get(name.toLowerCase() as Lowercase<typeof name>) !== undefined);
  if (useless) throw uselessParameter(useless, 'take, skip and search');
  const text = parameters.get('take');
  const { take, skip } = parsePage({ take: text, skip: parameters.get('skip') });
  return { search: parameters.get('search')?.trim(), take: text === undefined ? undefined : take, skip };
}

/** A filter that does nothing would tell of everything. */
const notHere = ['where', 'include', 'exclude', 'append', 'orderBy', 'orderByDesc', 'innerTake', 'innerSkip'] as const;

function restoredText({ resource, id, before }: Restoral): string {
  const row = before!;
  if (resource.isGeneral) return JSON.stringify({ resourceType: resource.name, id, name: row.name });
  const { kind, first_name: firstName, last_name: lastName, email } = row;
  return JSON.stringify({ resourceType: resource.name, kind, id, firstName, lastName, email });
}
