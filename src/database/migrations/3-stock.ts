/** Loads the stock configuration and the System user. */
import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  entityTypes,
  firstStateId,
  practices,
  priorities,
  processes,
  relationTypes,
  requestTypes,
  roles,
  severities,
  terms,
  workflows,
} from './stock.js';

export class Stock1700000000003 implements MigrationInterface {
  name = 'Stock1700000000003';

  async up(runner: QueryRunner): Promise<void> {
    await rows(
      runner,
      'entity_type',
      [
        'id',
        'name',
        'is_assignable',
        'is_extendable',
        'is_searchable',
        'is_unit_in_hour_only',
        'is_global',
        'custom_field_scope',
      ],
      entityTypes.map(([id, name, assignable, scope]) => [
        id,
        name,
        assignable,
        scope !== 'None',
        assignable,
        id === 5 || id === 8,
        scope === 'Global',
        scope,
      ]),
    );
    await rows(runner, 'role', ['id', 'name', 'has_effort'], roles);
    await rows(runner, 'process', ['id', 'name', 'is_default'], processes);
    await rows(runner, 'priority', ['id', 'name', 'importance', 'entity_type_id', 'is_default'], priorities);
    await rows(runner, 'severity', ['id', 'name', 'importance'], severities);
    await rows(runner, 'request_type', ['id', 'name'], requestTypes);
    await rows(runner, 'relation_type', ['id', 'name'], relationTypes);
    await loadPractices(runner);
    await loadWorkflows(runner);
    await rows(
      runner,
      'term',
      ['word_key', 'value', 'process_id', 'entity_type_id'],
      processes.flatMap(([id]) => terms.map(([word, kind, value]) => [word, value[id], id, kind])),
    );
    await loadPeople(runner);
    for (const table of numbered) {
      await runner.query(`select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`);
    }
  }

  async down(): Promise<void> {
    throw new Error('The first migrations cannot be undone; drop the database instead.');
  }
}

/** Tables that got ids of our choosing: theirs go on behind those. */
const numbered = [
  'role',
  'process',
  'priority',
  'severity',
  'request_type',
  'relation_type',
  'practice',
  'workflow',
  'entity_state',
  'general_user',
];

async function loadPractices(runner: QueryRunner): Promise<void> {
  const all = practices.map(([name, description, settings], index) => [index + 1, name, name, description, settings]);
  await rows(runner, 'practice', ['id', 'name', 'display_name', 'description', 'settings'], all);
  const links = practices.flatMap(([, , , users], index) => users.map((process) => [process, index + 1]));
  await rows(runner, 'process_practice', ['process_id', 'practice_id'], links);
}

/** Each kind has one workflow in each process; every state leads to every other. */
async function loadWorkflows(runner: QueryRunner): Promise<void> {
  for (const [process, processName] of processes) {
    let id = firstStateId[process]!;
    for (const [index, [kind, states]] of workflows.entries()) {
      const workflow = process * 100 + index;
      await rows(
        runner,
        'workflow',
        ['id', 'name', 'process_id', 'entity_type_id'],
        [[workflow, `${processName} workflow`, process, kind]],
      );
      const ids = states.map(() => id++);
      const columns = [
        'id',
        'name',
        'is_initial',
        'is_final',
        'is_planned',
        'numeric_priority',
        'role_id',
        'workflow_id',
        'entity_type_id',
        'process_id',
      ];
      await rows(
        runner,
        'entity_state',
        columns,
        states.map(({ name, is, role }, at) => [
          ids[at],
          name,
          is === 'initial',
          is === 'final',
          is === 'planned',
          ids[at],
          role ?? null,
          workflow,
          kind,
          process,
        ]),
      );
      const steps = ids.flatMap((from) => ids.filter((to) => to !== from).map((to) => [from, to]));
      await rows(runner, 'entity_state_step', ['from_id', 'to_id'], steps);
    }
  }
}

/** Id 1 is kept for the first administrator, who comes with the first start. */
async function loadPeople(runner: QueryRunner): Promise<void> {
  await runner.query(`insert into general_user (id, kind, first_name, login, is_active, is_administrator, create_date, modify_date)
    values (2, 'SystemUser', 'System', 'System', true, true, now(), now())`);
  await runner.query(`insert into setting (name, value) values ('token-secret',
    to_jsonb(encode(sha256((gen_random_uuid()::text || gen_random_uuid()::text || clock_timestamp()::text)::bytea), 'hex')))`);
}

async function rows(
  runner: QueryRunner,
  table: string,
  columns: string[],
  all: readonly (readonly unknown[])[],
): Promise<void> {
  const values = all
    .flat()
    .map((value) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : value));
  const places = all.map((row, at) => `(${row.map((_, index) => `$${at * columns.length + index + 1}`).join(', ')})`);
  await runner.query(`insert into ${table} (${columns.join(', ')}) values ${places.join(', ')}`, values);
}
