/** Looks entities up for writes: the statement for each set of types is compiled once. */
import { Inject, Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { type Actor, actorShape } from '../actor.js';
import type { Fact, Facts } from '../command/facts.js';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { queryTextRows } from '../database/text-query.js';
import type { Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { compileLookup, compileTakenAlong, factColumns } from '../query/compile/lookup.js';
import { StatementCache } from '../query/compile/statement-cache.js';
import { Reader } from '../query/reader.js';
import type { Statement } from '../sql.js';

@Injectable()
export class Lookups {
  private readonly reader: Reader;
  private readonly doer: Reader<unknown>;

  constructor(
    @Inject(CONFIG) config: Config,
    @Inject(MODEL) private readonly model: Model,
    private readonly statements: StatementCache,
  ) {
    this.reader = new Reader(config);
    this.doer = new Reader<unknown>(config, queryTextRows);
  }

  /** Runs a statement of ours, named, with objects by column name as rows. */
  async rows<R>(text: string, values: readonly unknown[], connection: PoolClient): Promise<R[]> {
    return this.reader.objects<R>(text, values, connection);
  }

  /** The same for a statement that is run for what it does. */
  async done(text: string, values: readonly unknown[], connection: PoolClient): Promise<void> {
    await this.doer.within(text, values, connection);
  }

  /** Rows as arrays of columns. */
  ask(statement: Statement, ids: readonly number[], actor: Actor, connection: PoolClient): Promise<unknown[][]> {
    return this.reader.rows(statement, { actor, base: '', ids: [ids] }, connection);
  }

  async look(
    wanted: ReadonlyMap<ResourceType, Iterable<number>>,
    facts: Facts,
    actor: Actor,
    connection: PoolClient,
  ): Promise<void> {
    const missing = [...wanted]
      .map(([resource, ids]) => ({ resource, ids: [...new Set(ids)].filter((id) => !facts.of(resource, id)) }))
      .filter(({ ids }) => ids.length > 0)
      .sort((a, b) => (a.resource.name < b.resource.name ? -1 : 1));
    if (missing.length === 0) return;
    const statement = this.statementFor(
      missing.map(({ resource }) => resource),
      actor,
    );
    const given = { actor, base: '', ids: missing.map(({ ids }) => ids) };
    const rows = await this.reader.rows(statement, given, connection);
    missing.forEach(({ resource }, place) => {
      facts.note(resource, rows.filter((row) => row[0] === place).map(factOf));
    });
  }

  /** Those of the ids that a deletion of the last day took along, as far as the actor may know of them. */
  async takenAlong(
    resource: ResourceType,
    ids: readonly number[],
    actor: Actor,
    connection: PoolClient,
  ): Promise<number[]> {
    const shape = actorShape(actor);
    const compile = (): Statement => compileTakenAlong(resource, this.model.general, shape);
    const statement = this.statements.of(this, `taken along:${shape}:${resource.name}`, compile);
    const rows = await this.ask(statement, ids, actor, connection);
    return rows.map(([id]) => id as number);
  }

  private statementFor(resources: readonly ResourceType[], actor: Actor): Statement {
    const shape = actorShape(actor);
    const key = `${shape}:${resources.map(({ name }) => name).join(',')}`;
    return this.statements.of(this, key, () => compileLookup(resources, shape));
  }
}

function factOf([, id, ...columns]: unknown[]): Fact {
  const fact: Record<string, unknown> = { id };
  factColumns.forEach((name, at) => {
    fact[name] = columns[at];
  });
  return fact as unknown as Fact;
}
