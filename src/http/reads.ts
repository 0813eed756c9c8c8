/** The read pipeline as the edge uses it: resolve, scope, compile (kept per query), run. */
import { Inject, Injectable } from '@nestjs/common';
import { type Actor, actorShape } from '../actor.js';
import { type Text, takeText } from '../bytes/text-bytes.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { queryTextRows, type TextHold, type TextRow } from '../database/text-query.js';
import { WaitingRoom } from '../database/waiting-room.js';
import { notFound } from '../errors.js';
import type { CollectionField, ResourceType } from '../model/model.js';
import { compileMany, compileOne } from '../query/compile/page.js';
import { StatementCache } from '../query/compile/statement-cache.js';
import type { Condition } from '../query/meaning.js';
import { type Connection, type Late, Reader, type ReadPool } from '../query/reader.js';
import { scope } from '../query/scope.js';
import { type Asking, compileQuery, resolve } from '../query/v1/compile-query.js';
import type { Query } from '../query/v1/query.js';
import { columnsOf } from '../query/v1/resolve-selection.js';
import { condition, isAskedFor, isBehind } from '../query/values.js';
import type { Column } from '../representation/csv.js';
import { jsonRepresentation } from '../representation/json.js';
import type { Representation, Spelling } from '../representation/representation.js';
import { xmlRepresentation } from '../representation/xml.js';
import type { Statement } from '../sql.js';
import { Item, Page } from './answer.js';
import { CUSTOM_FIELDS, type CustomFields } from './family-tokens.js';
import type { ListFormat } from './format.js';
import { FreshConfiguration } from './fresh-configuration.js';

/** Who asks for what, and how it is to look. */
export interface Ask {
  query: Query;
  actor: Actor;
  format: 'json' | 'xml';
  dates: Spelling['dates'];
  /** In JSON. */
  beginnings?: Spelling['beginnings'];
  base: string;
  /** Parameters that links to the rest of inner collections repeat, such as `format=json&`. */
  tail: string;
  /** Items stand on lines of their own, for a list in another format. */
  list?: ListFormat;
  /** Counts what is read. */
  hold?: TextHold;
  /** Where to read outside of transactions; else from the primary. */
  pool?: ReadPool;
  /** The connection of a transaction under way. */
  connection?: Connection;
}

/** With the values that its statement takes. */
type BoundAsk = Ask & Pick<Late, 'id' | 'ids'>;

@Injectable()
export class Reads {
  private readonly reader: Reader<Text | null>;
  private readonly utc: boolean;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(PRIMARY_POOL) private readonly pool: ReadPool,
    @Inject(CUSTOM_FIELDS) private readonly customFields: CustomFields,
    private readonly configuration: FreshConfiguration,
    private readonly statements: StatementCache,
    readonly waiting: WaitingRoom,
  ) {
    this.reader = new Reader(config, queryTextRows);
    this.utc = config.timeZone === 'UTC';
  }

  async page(resource: ResourceType, ask: Ask): Promise<Page> {
    const path = `/api/v1/${resource.collection}/`;
    return this.pageOf(resource, ask, path, `page:${resource.name}`);
  }

  /** Some of the items behind an Id, in the order of their Ids. */
  behind(resource: ResourceType, id: number, ask: Ask): Promise<Page> {
    return this.pageOf(resource, { ...ask, id }, '', `behind:${resource.name}`, [isBehind(resource)]);
  }

  /** What the rows of a list in CSV show. */
  columns(resource: ResourceType, { query }: Pick<Ask, 'query'>): readonly Column[] {
    const key = `columns:${resource.name}`;
    return this.statements.of(query, key, () =>
      columnsOf(resolve({ ...query, where: undefined }, resource, this.customFields)),
    );
  }

  /** The items of one collection of one entity; 404 when that entity is not there for the actor. */
  async inner(owner: ResourceType, id: number, field: CollectionField, ask: Ask): Promise<Page> {
    const inside = condition({ kind: 'inside', field, owner, where: [] });
    const path = `/api/v1/${owner.collection}/${id}/${field.name}/`;
    const key = `inner:${owner.name}.${field.name}`;
    const page = await this.pageOf(field.target, { ...ask, id }, path, key, [inside]);
    if (page.items.length === 0 && !(await this.exists(owner, id, ask))) throw notFound(owner.name, id);
    return page;
  }

  /** `key` tells types of one name apart. */
  async one(resource: ResourceType, id: number, ask: Ask, key = resource.name): Promise<Item> {
    const [row] = await this.find(resource, id, ask, key);
    if (!row) throw notFound(resource.name, id);
    return new Item(row[0]!, row[1] as string | undefined);
  }

  /** Refuses what the answer of a write could not show, before anything is written. */
  async prepare(resource: ResourceType, ask: Ask): Promise<void> {
    await this.loading(ask);
    this.statements.of(ask.query, `prepared:${resource.name}`, () => {
      resolve({ ...ask.query, where: undefined, order: [] }, resource, this.customFields);
      return isShown;
    });
  }

  /** Entities by their ids, in the order of these. */
  async many(resource: ResourceType, ids: readonly number[], ask: Ask): Promise<string[]> {
    return (await this.manyWithIds(resource, ids, ask)).map(({ text }) => text);
  }

  /** Entities that were asked for alike, one by one. Those that do not exist for the actor are left out. */
  async byId(resource: ResourceType, ids: readonly number[], ask: Ask): Promise<Map<number, Item>> {
    // Nobody in particular holds their texts.
    const rows = await this.rowsOf(resource, ids, { ...ask, hold: undefined }, true);
    return new Map(rows.map(([text, id, version]) => [Number(id), new Item(takeText(text!), version as string)]));
  }

  /** With their ids: those that do not exist for the actor are left out. */
  async manyWithIds(resource: ResourceType, ids: readonly number[], ask: Ask): Promise<{ id: number; text: string }[]> {
    const rows = await this.rowsOf(resource, ids, ask, false);
    return rows.map(([text, id]) => ({ id: Number(id), text: takeText(text!) }));
  }

  private async rowsOf(
    resource: ResourceType,
    ids: readonly number[],
    ask: Ask,
    hasVersions: boolean,
  ): Promise<TextRow[]> {
    const loading = this.loading(ask);
    if (loading) await loading;
    const statement = this.kept(ask, `many:${resource.name}:${hasVersions}`, () => {
      const plan = resolve({ ...ask.query, where: undefined, order: [] }, resource, this.customFields);
      return compileMany(scope(plan, actorShape(ask.actor)), this.representation(ask), ask, hasVersions);
    });
    return this.run(statement, { ...ask, ids: [ids] });
  }

  /** Whether an entity is there for the actor, in whatever context. */
  async exists(resource: ResourceType, id: number, ask: Ask): Promise<boolean> {
    return (await this.find(resource, id, existence(ask))).length > 0;
  }

  /** The ids that exist for the actor. */
  async existing(resource: ResourceType, ids: readonly number[], ask: Ask): Promise<ReadonlySet<number>> {
    const rows = await this.rowsOf(resource, ids, existence(ask), false);
    return new Set(rows.map(([, id]) => Number(id)));
  }

  private async find(resource: ResourceType, id: number, ask: Ask, key = resource.name): Promise<TextRow[]> {
    const loading = this.loading(ask);
    if (loading) await loading;
    const statement = this.kept(ask, `one:${key}`, () => {
      // One entity is named by its id: a filter or an order has nothing to say about it.
      const asked = resolve({ ...ask.query, where: undefined, order: [] }, resource, this.customFields);
      const plan = { ...asked, where: [isAskedFor(resource)] };
      return compileOne(scope(plan, actorShape(ask.actor)), this.representation(ask), ask);
    });
    return this.run(statement, { ...ask, id });
  }

  private pageOf(resource: ResourceType, ask: BoundAsk, path: string, key: string, extra: Condition[] = []) {
    const page = (): Promise<Page> => {
      const statement = this.kept(ask, key, () => compileQuery(ask.query, this.asking(resource, ask, extra, key)));
      return this.run(statement, ask).then(
        (rows) => new Page(resource.collection, gluedIn(rows), rows.at(-1)?.[1] === 't', path),
      );
    };
    const loading = this.loading(ask);
    return loading ? loading.then(page) : page();
  }

  /** Nothing to wait for, most times; and never within a transaction, which holds a connection already. */
  private loading({ connection, actor }: Ask): Promise<void> | undefined {
    return connection ? undefined : this.configuration.forReading(actor.userId);
  }

  private run(statement: Statement, { connection, pool, ...late }: BoundAsk): Promise<TextRow[]> {
    return this.reader.rows(statement, late, connection ?? pool ?? this.pool);
  }

  private kept(ask: Ask, what: string, compile: () => Statement): Statement {
    return this.statements.of(ask.query, `${what}:${formatName(ask)}:${actorShape(ask.actor)}`, compile);
  }

  private asking(resource: ResourceType, ask: Ask, extra: readonly Condition[], extraName: string): Asking {
    const format = this.representation(ask);
    const { customFields: catalogue, statements } = this;
    const shape = actorShape(ask.actor);
    return {
      resource,
      tail: ask.tail,
      shape,
      format,
      formatName: formatName(ask),
      catalogue,
      statements,
      extra,
      extraName,
    };
  }

  private representation({ format, dates, beginnings, list }: Ask): Representation {
    if (format === 'xml') return xmlRepresentation;
    const json = jsonRepresentation({ dates, utc: this.utc, beginnings });
    return list ? { ...json, pageSeparator: '\n' } : json;
  }
}

/** Whether both ask for the same of whatever entity. */
export const isAlike = (one: Ask, other: Ask): boolean =>
  one.query === other.query &&
  one.actor === other.actor &&
  one.base === other.base &&
  one.tail === other.tail &&
  one.connection === other.connection &&
  formatName(one) === formatName(other);

/** The same for the same representation, and for no other. */
const formatName = ({ format, dates, beginnings, list }: Ask): string =>
  `${format}:${dates}${beginnings === undefined ? '' : `:${beginnings}`}${list ? ':lines' : ''}`;

/** A page of none is one row without a text, or no row. */
function gluedIn(rows: readonly TextRow[]): Text[] {
  const texts: Text[] = [];
  for (const [glued] of rows) if (glued != null) texts.push(glued);
  return texts;
}

const existence = (ask: Ask): Ask => ({ ...ask, actor: { ...ask.actor, context: undefined }, query: idAlone });

/** The shortest answer. */
export const idAlone: Query = {
  selection: { include: [], append: [] },
  order: [],
  page: { take: 25, skip: 0 },
  inner: { take: 25, skip: 0 },
};

const isShown = {};
