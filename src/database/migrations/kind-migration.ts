/**
 * A migration that adds a kind of Generals. It begins as a copy of another kind: with its states, priorities and rights
 * of roles, and treated as that one is by the functions of the database, which keep totals and histories.
 */
import type { MigrationInterface, QueryRunner } from 'typeorm';

export interface NewKind {
  /** The number in `@ChildEntity` of the entity. */
  readonly id: number;
  readonly name: string;
  /** The number of the kind that it begins as a copy of: a bug, an impediment or a request, which have no parts. */
  readonly like: 8 | 16 | 17;
}

export abstract class KindMigration implements MigrationInterface {
  abstract readonly name: string;
  abstract readonly kind: NewKind;

  async up(runner: QueryRunner): Promise<void> {
    const { id, name, like } = this.kind;
    await runner.query(copyType, [id, like, name]);
    for (const copy of copies) await runner.query(copy, [id, like]);
    await runner.query(addTerms, [id, name]);
    await changeFunctions(runner, namingKinds, (definition) => treatAlike(definition, id, like));
    await treatChecks(runner, (check) => treatAlike(check, id, like));
  }

  /** Fails where there are items of the kind. */
  async down(runner: QueryRunner): Promise<void> {
    const { id } = this.kind;
    await changeFunctions(runner, namingKinds, (definition) => treatNoMore(definition, id));
    await treatChecks(runner, (check) => treatNoMore(check, id));
    for (const table of tables) await runner.query(`delete from ${table} where entity_type_id = $1`, [id]);
    await runner.query('delete from entity_type where id = $1', [id]);
  }
}

const copyType = `insert into entity_type (id, name, is_extendable, is_searchable, is_assignable, is_unit_in_hour_only,
    is_global, custom_field_scope)
  select $1::int, $3::text, is_extendable, is_searchable, is_assignable, is_unit_in_hour_only, is_global,
    custom_field_scope
  from entity_type where id = $2::int`;

const copies = [
  `insert into role_entity_type (role_id, entity_type_id, is_add_enabled, is_edit_enabled, is_delete_enabled)
    select role_id, $1::int, is_add_enabled, is_edit_enabled, is_delete_enabled
    from role_entity_type where entity_type_id = $2::int order by id`,
  `insert into priority (name, importance, is_default, entity_type_id)
    select name, importance, is_default, $1::int from priority where entity_type_id = $2::int order by id`,
  // Ids are taken before anything is inserted, so that steps find the copies of the states that they join.
  `with
    flows as (
      select id as old, nextval('workflow_id_seq') as id, name, process_id
      from workflow where entity_type_id = $2::int and parent_workflow_id is null order by id),
    states as (
      select s.*, nextval('entity_state_id_seq') as new_id, f.id as new_workflow
      from flows f join entity_state s on s.workflow_id = f.old order by f.id, s.numeric_priority, s.id),
    made_flows as (
      insert into workflow (id, name, process_id, entity_type_id) select id, name, process_id, $1::int from flows),
    made_states as (
      insert into entity_state (id, numeric_priority, name, is_initial, is_final, is_default_final, is_planned,
        is_comment_required, role_id, workflow_id, process_id, entity_type_id)
      select new_id, new_id, name, is_initial, is_final, is_default_final, is_planned, is_comment_required, role_id,
        new_workflow, process_id, $1::int
      from states)
  insert into entity_state_step (from_id, to_id)
  select f.new_id, t.new_id
  from entity_state_step step join states f on f.id = step.from_id join states t on t.id = step.to_id`,
];

const addTerms = `insert into term (word_key, value, process_id, entity_type_id)
  select $2::text, $2::text, id, $1::int from process order by id`;

/** Rows of a kind, in the order in which they can be deleted; steps and team workflows go with their states. */
const tables = ['custom_field', 'term', 'entity_state', 'workflow', 'priority', 'role_entity_type'];

/** Functions of `kinds.sql` name kinds by their numbers, since a look-up would cost each write; before, all did. */
const namingKinds = `(proname like 'kind\\_%' or to_regproc('kind_is_historic') is null)`;

/** Carries out `change` on those of the functions of the database that `which` chooses. */
export async function changeFunctions(
  runner: QueryRunner,
  which: string,
  change: (definition: string) => string,
): Promise<void> {
  const functions: { definition: string }[] = await runner.query(
    `select pg_get_functiondef(oid) as definition from pg_proc
     where pronamespace = current_schema()::regnamespace and prokind = 'f' and ${which} order by oid`,
  );
  for (const { definition } of functions) {
    const changed = change(definition);
    if (changed !== definition) await runner.query(changed);
  }
}

/**
 * Those of Generals that hold for some kinds alone: the order of dates, and that there is a project. One that items
 * would not pass stays as it is.
 */
export async function treatChecks(runner: QueryRunner, change: (check: string) => string): Promise<void> {
  const checks: { name: string; definition: string }[] = await runner.query(
    `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = 'general'::regclass and contype = 'c' order by conname`,
  );
  for (const { name, definition } of checks) {
    const changed = change(definition);
    if (changed === definition) continue;
    const failing = `select from general where not ${changed.replace(/^CHECK /, '')} limit 1`;
    if ((await runner.query(failing)).length === 0)
      await runner.query(`alter table general drop constraint ${name}, add constraint ${name} ${changed}`);
  }
}

/** A list of kinds behind its beginning, in functions and as PostgreSQL spells it in a check. */
const listed = String.raw`(entity_type_id(?: \+ 0)? in \(|entity_type_id (?:= ANY|<> ALL) \(ARRAY\[)`;

export const treatAlike = (definition: string, id: number, like: number): string =>
  definition
    .replace(new RegExp(`\\bwhen ${like} then ([\\w.]+(?: = \\d+)?)`, 'g'), `$& when ${id} then $1`)
    .replace(new RegExp(`${listed}((?:\\d+, )*${like})\\b`, 'g'), `$1$2, ${id}`);

export const treatNoMore = (definition: string, id: number): string =>
  definition
    .replace(new RegExp(` when ${id} then [\\w.]+(?: = \\d+)?`, 'g'), '')
    .replace(new RegExp(`${listed}((?:\\d+, )*\\d+), ${id}\\b`, 'g'), '$1$2');
