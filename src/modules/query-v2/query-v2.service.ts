/** The read pipeline of version 2: parse, resolve, scope, compile (kept by text), run, frame. */
import { Inject, Injectable } from '@nestjs/common';
import { type Actor, actorShape } from '../../actor.js';
import type { Text } from '../../bytes/text-bytes.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { PRIMARY_POOL } from '../../database/pools.js';
import { queryTextRows, type TextHold } from '../../database/text-query.js';
import { WaitingRoom } from '../../database/waiting-room.js';
import { badRequest, notFound } from '../../errors.js';
import type { Page } from '../../http/answer.js';
import { FreshConfiguration } from '../../http/fresh-configuration.js';
import { pageBefore, pageBehind } from '../../http/pages-beside.js';
import { wholeList } from '../../http/whole-list.js';
import type { Model, ResourceType } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { StatementCache } from '../../query/compile/statement-cache.js';
import { limits } from '../../query/limits.js';
import { codeOf, Reader, type ReadPool } from '../../query/reader.js';
import { compileQueryV2 } from '../../query/v2/compile-query.js';
import type { QueryV2 } from '../../query/v2/query-v2.js';
import { checkWholeList, type Extent } from '../../query/v2/resolve-query.js';
import { doesNotFit } from '../../query/v2/resolving.js';
import { tableShape } from '../../query/v2/specimen.js';
import type { TableShape } from '../../representation/csv.js';
import { type JsonV2, jsonV2Representation } from '../../representation/json-v2.js';
import type { Statement } from '../../sql.js';
import { Catalogue } from '../custom-fields/catalogue.js';
import { AskedTexts, type Texts } from './asked-v2.js';
import { framed, pretty } from './frame-v2.js';

export interface AskV2 {
  resource: ResourceType;
  id?: number;
  texts: Texts;
  actor: Actor;
  /** Address that links start with. */
  base: string;
  hold?: TextHold;
  /** Where to read; else from the primary. */
  pool?: ReadPool;
}

@Injectable()
export class QueryV2Service {
  private readonly reader: Reader<Text | null>;
  private readonly formats: Record<QueryV2['dates'], JsonV2>;
  /** An item on each line. */
  private readonly lines: Record<QueryV2['dates'], JsonV2>;
  /** The same as rows of a table, whose dates are ISO 8601. */
  private readonly rows: Record<QueryV2['dates'], JsonV2>;
  private readonly asked = new AskedTexts();

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(PRIMARY_POOL) private readonly pool: ReadPool,
    @Inject(MODEL) private readonly model: Model,
    private readonly catalogue: Catalogue,
    private readonly configuration: FreshConfiguration,
    private readonly statements: StatementCache,
    private readonly waiting: WaitingRoom,
  ) {
    this.reader = new Reader(config, queryTextRows);
    const utc = config.timeZone === 'UTC';
    const formats = (separator: string) => {
      const format = (dates: QueryV2['dates']): JsonV2 => jsonV2Representation({ dates, utc }, separator);
      return { ms: format('ms'), iso: format('iso'), local: format('local') };
    };
    this.formats = formats(',');
    this.lines = formats('\n');
    this.rows = { ...this.lines, ms: this.lines.iso };
  }

  /** The texts of the answer, to be sent one behind the other. Errors: 400, 404, 503. */
  async answer(ask: AskV2): Promise<readonly Text[]> {
    const { texts, actor } = ask;
    const query = this.asked.by(texts);
    const loading = this.configuration.forReading(actor.userId);
    if (loading) await loading;
    const { items, hasMore } = await this.read(this.statementOf(query, ask), ask);
    if (!query.result) checkIsThere(items, ask);
    const answer = query.result && !query.groupBy ? items : framed(items, this.linksOf(query, hasMore, ask));
    return query.isPretty ? pretty(answer) : answer;
  }

  /**
   * The items of a page, each on a line, groups with commas between them; the links that an answer has; and what is
   * known of the items whatever they are.
   */
  async page(ask: AskV2): Promise<{ items: readonly Text[]; shape: TableShape; next?: string; prev?: string }> {
    const query = this.asked.by(ask.texts);
    if (query.result && !query.groupBy)
      throw badRequest('text/csv: a list is needed; leave result out.', 'InvalidParameter');
    const loading = this.configuration.forReading(ask.actor.userId);
    if (loading) await loading;
    const { items, hasMore } = await this.read(this.statementOf(query, ask, this.rows), ask);
    checkIsThere(items, ask);
    return {
      items,
      shape: tableShape(query, ask.resource, { model: this.model, catalogue: this.catalogue }),
      ...this.linksOf(query, hasMore, ask),
    };
  }

  /**
   * All items, in the order of their Ids, or the one that is asked for; `askNow` gives the rights of the moment.
   * Errors: 400, 401, 404, 429, 503.
   */
  async wholeList(ask: AskV2, askNow: () => Promise<AskV2>): Promise<Page> {
    const query = this.asked.by(ask.texts);
    checkWholeList(query);
    const loading = this.configuration.forReading(ask.actor.userId);
    if (loading) await loading;
    const asker = { userId: ask.actor.userId, hold: ask.hold, waiting: this.waiting };
    return wholeList(ask.resource, asker, async (id, take) => {
      const now = await askNow();
      if (ask.id !== undefined) {
        const { items } = await this.read(this.statementOf(query, now, this.lines, 'line'), now);
        checkIsThere(items, ask);
        return { items, hasNext: false };
      }
      const { items, hasMore } = await this.read(this.behind(query, take, now), { ...now, id });
      return { items, hasNext: hasMore };
    });
  }

  private async read(statement: Statement, ask: AskV2): Promise<{ items: Text[]; hasMore: boolean }> {
    try {
      const rows = await this.reader.rows(statement, ask, ask.pool ?? this.pool);
      return { items: rows.flatMap(([items]) => (items == null ? [] : [items])), hasMore: rows.at(-1)?.[1] === 't' };
    } catch (error) {
      // No row can bring this about; what is left are limits of the database that the text itself goes beyond.
      if (/^(22|54)/.test(codeOf(error) ?? '')) throw badRequest(`${doesNotFit}.`, 'InvalidExpression');
      throw error;
    }
  }

  /** One statement serves every entity. */
  private statementOf(
    query: QueryV2,
    { resource, id, actor }: AskV2,
    formats = this.formats,
    extent: Extent = id === undefined ? 'page' : 'one',
  ): Statement {
    const shape = actorShape(actor);
    return this.statements.of(query, `${resource.name} ${shape} ${extent}${formats === this.rows ? ' rows' : ''}`, () =>
      compileQueryV2(query, {
        resource,
        shape,
        json: formats[query.dates],
        model: this.model,
        catalogue: this.catalogue,
        statements: this.statements,
        extent,
      }),
    );
  }

  private behind(query: QueryV2, take: number, { resource, actor }: AskV2): Statement {
    const shape = actorShape(actor);
    return this.statements.of(query, `${resource.name} ${shape} behind ${take}`, () =>
      compileQueryV2(
        { ...query, page: { take, skip: 0 } },
        {
          ...{ resource, shape, model: this.model, catalogue: this.catalogue, statements: this.statements },
          json: this.lines[query.dates],
          extent: 'behind',
        },
      ),
    );
  }

  private linksOf(query: QueryV2, hasMore: boolean, { resource, id, base, texts }: AskV2) {
    const { page } = query;
    if (page.take === 0 || id !== undefined) return {};
    const address = `${base}/api/v2/${resource.name}?`;
    const fits = (text: string): boolean => text.length + pageBehind(page).length <= limits.queryBytes;
    const repeated = fits(query.repeated) ? query.repeated : query.repeatedShort;
    // A form that fits into no address is sent again, to the address of the page. What came in an address stays whole.
    const start = texts.form !== undefined && !fits(repeated) ? address : address + repeated;
    return {
      next: hasMore ? start + pageBehind(page) : undefined,
      prev: page.skip > 0 ? start + pageBefore(page) : undefined,
    };
  }
}

/** Errors: 404. */
function checkIsThere(items: readonly Text[], { resource, id }: AskV2): void {
  if (id !== undefined && items.length === 0) throw notFound(resource.name, id);
}
