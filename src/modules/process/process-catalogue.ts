/**
 * The set-up of processes, kept in memory for a second: a change on one replica reaches all within that time, and what
 * is not found is looked for again in the database before a client gets that answer.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Work } from '../../command/change.js';
import { PRIMARY_POOL } from '../../database/pools.js';
import { mostAgeMs } from '../../server/freshness.js';
import { ProcessSetup, type SetupRows } from './process-setup.js';

@Injectable()
export class ProcessCatalogue {
  private kept: ProcessSetup | undefined;
  private loadedAt = Number.NEGATIVE_INFINITY;
  private loading: Promise<ProcessSetup> | undefined;
  /** Only the load that began last says what is known. */
  private latest: unknown;

  constructor(@Inject(PRIMARY_POOL) private readonly pool: Pool) {}

  /** Before a transaction begins: at most a second old. Undefined when what is known is young enough. */
  refresh(): Promise<unknown> | undefined {
    return performance.now() - this.loadedAt < mostAgeMs ? undefined : this.loaded();
  }

  /**
   * Within a transaction: it must not wait for a second connection, which other transactions may hold that wait for it.
   */
  async setup(): Promise<ProcessSetup> {
    return this.kept ?? this.loaded();
  }

  /** As the transaction sees it, with what it has written itself. */
  async within(work: Work): Promise<ProcessSetup> {
    const [row] = await work.rows<{ setup: SetupRows }>(query);
    return new ProcessSetup(row!.setup);
  }

  /** For the writer of configuration, whose next write must see it. */
  forget(): void {
    this.loadedAt = Number.NEGATIVE_INFINITY;
    // What is under way may have begun before the change.
    this.loading = undefined;
    this.latest = undefined;
  }

  private loaded(): Promise<ProcessSetup> {
    this.loading ??= this.load();
    return this.loading;
  }

  private async load(): Promise<ProcessSetup> {
    // Age counts from the question: the answer may describe the moment it was asked.
    const asked = performance.now();
    const loading = this.pool.query<{ setup: SetupRows }>(query);
    this.latest = loading;
    try {
      const setup = new ProcessSetup((await loading).rows[0]!.setup);
      if (this.latest === loading) [this.kept, this.loadedAt] = [setup, asked];
      return setup;
    } finally {
      if (this.latest === loading) this.loading = undefined;
    }
  }
}

const list = (fields: string, from: string): string =>
  `(select coalesce(json_agg(json_build_object(${fields})), '[]') from ${from})`;

const ranked = `'id', id, 'name', name, 'importance', importance, 'isDefault', is_default, 'kind'`;

const query = `select json_build_object(
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
