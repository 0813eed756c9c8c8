/**
 * The set-up of processes, kept in memory until it changes. What is stored by it, and what a client is refused for,
 * goes by the set-up that holds when the transaction begins: the beginning tells its version, and a set-up of another
 * version than the kept one is read within the transaction, and kept. A change that fires no trigger leaves the version
 * as it is, so while there are writes the set-up is also read beside them.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Work } from '../../command/change.js';
import { PRIMARY_POOL } from '../../database/pools.js';
import { setUpVersion } from '../../database/set-up-version.js';
import type { ProcessSetups } from '../../http/family-tokens.js';
import { ProcessSetup, type SetupRows } from './process-setup.js';

interface Kept {
  readonly version: string;
  readonly setup: ProcessSetup;
}

/** Of a change that the version does not tell. Reading takes as much as a few writes, so it is seldom. */
const mostAgeMs = 5_000;

interface Row {
  version: string;
  setup: SetupRows;
}

@Injectable()
export class ProcessCatalogue implements ProcessSetups {
  private kept: Kept | undefined;
  private loading: Promise<void> | undefined;
  private askedAt = Number.NEGATIVE_INFINITY;

  constructor(@Inject(PRIMARY_POOL) private readonly pool: Pool) {}

  /** Before the first transaction begins, which then has nothing to read; later nobody waits for it. */
  loaded(): Promise<void> | undefined {
    if (this.kept && performance.now() - this.askedAt < mostAgeMs) return undefined;
    if (!this.loading) {
      this.loading = this.load().finally(() => {
        this.loading = undefined;
      });
      // Whether or not somebody waits.
      this.loading.catch(() => undefined);
    }
    return this.kept ? undefined : this.loading;
  }

  /** As it is when the transaction begins. */
  async setup(work: Pick<Work, 'rows' | 'setUpVersion'>): Promise<ProcessSetup> {
    const version = work.setUpVersion();
    if (this.kept?.version === version) return this.kept.setup;
    const read = keptOf(await work.rows<Row>(query));
    // What the transaction has changed itself is of a later version, which may never be stored.
    if (read.version === version) this.kept = read;
    return read.setup;
  }

  /** As the transaction sees it, with what it has written itself. */
  async within(work: Pick<Work, 'rows'>): Promise<ProcessSetup> {
    return keptOf(await work.rows<Row>(query)).setup;
  }

  private async load(): Promise<void> {
    this.askedAt = performance.now();
    const before = this.kept;
    const read = keptOf((await this.pool.query<Row>(query)).rows);
    // A transaction that began later may have kept a later one.
    if (this.kept === before) this.kept = read;
  }
}

const keptOf = ([row]: readonly Row[]): Kept => ({ version: row!.version, setup: new ProcessSetup(row!.setup) });

const list = (fields: string, from: string): string =>
  `(select coalesce(json_agg(json_build_object(${fields})), '[]') from ${from})`;

const ranked = `'id', id, 'name', name, 'importance', importance, 'isDefault', is_default, 'kind'`;

const query = `select ${setUpVersion} as version, json_build_object(
  'states', ${list(
    `'id', s.id, 'name', s.name, 'isInitial', s.is_initial, 'isFinal', s.is_final, 'isDefaultFinal', s.is_default_final,
     'role', s.role_id, 'workflow', s.workflow_id,
     'parentWorkflow', w.parent_workflow_id, 'parentState', s.parent_entity_state_id, 'process', s.process_id, 'kind', s.entity_type_id`,
    '(select * from entity_state order by numeric_priority, id) s join workflow w on w.id = s.workflow_id',
  )},
  'priorities', ${list(`${ranked}, entity_type_id`, 'priority')},
  'severities', ${list(`${ranked}, null`, 'severity')},
  'roles', ${list(`'id', id, 'name', name, 'hasEffort', has_effort`, '(select * from role order by id) r')},
  'requestTypes', ${list(`'id', id, 'name', name`, '(select * from request_type order by id) t')},
  'defaultProcess', (select id from process where is_default order by id limit 1),
  'practices', ${list(
    `'process', l.process_id, 'name', p.name, 'settings', p.settings`,
    'process_practice l join practice p on p.id = l.practice_id',
  )},
  'denials', ${list(
    `'role', role_id, 'kind', entity_type_id, 'rights', array_remove(array[case when not is_add_enabled then 'add' end,
      case when not is_edit_enabled then 'edit' end, case when not is_delete_enabled then 'delete' end], null)`,
    'role_entity_type where not (is_add_enabled and is_edit_enabled and is_delete_enabled)',
  )},
  'rules', (select coalesce(json_agg(id), '[]') from custom_rule where is_enabled),
  'hourly', (select coalesce(json_agg(id), '[]') from entity_type where is_unit_in_hour_only)) as setup`;
