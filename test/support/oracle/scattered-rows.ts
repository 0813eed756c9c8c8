/**
 * Makes the demonstration data uneven: references to nothing, to hidden and deleted rows and to other kinds, missing
 * and odd values, deleted rows, custom fields that point anywhere. What the rows then say is read again, so nothing has
 * to fit together.
 */
import type { Pool, PoolClient } from 'pg';
import type { Field, ReferenceField, ResourceType, ScalarField } from '../../../src/model/model.js';
import { model } from '../builder.js';
import { chance, type Dice, diceOf, pick } from '../dice.js';
import { midnight } from './zone.js';

/** Rows of the callers stay as they are, and so does what says how a process is set up. */
export async function scatter(database: Pool, logins: readonly string[]): Promise<void> {
  const client = await database.connect();
  try {
    // No trigger moves a total and no key is checked.
    await client.query('set session_replication_role = replica');
    const { rows } = await client.query('select id from general_user where login = any($1)', [logins]);
    const scattering = new Scattering(
      client,
      diceOf(20_260_705),
      rows.map(({ id }) => id),
    );
    for (const resource of model.resources) await scattering.rowsOf(resource);
    await scattering.customValues();
    await scattering.tags();
  } finally {
    client.release(true);
  }
}

/** Who may call, what is a view, and what the numbers of other tables follow from. */
const untouched =
  /^(access_token|login_attempt|global_settings|assigned_effort|project_allocation|inbound_assignable|outbound_assignable|role_entity_type|custom_rule|entity_type|custom_field|practice|term|tag)$/;
const keptColumns =
  /^(id|entity_type_id|kind|login|email|password_hash|is_active|is_administrator|is_observer|name_key)$/;

class Scattering {
  constructor(
    private readonly client: PoolClient,
    private readonly dice: Dice,
    private readonly callers: readonly number[],
  ) {}

  async rowsOf(resource: ResourceType): Promise<void> {
    if (resource.isAbstract || untouched.test(resource.table)) return;
    const ids = await this.ids(resource);
    const columns = await this.nullable(resource.table);
    const done = new Set<string>();
    for (const field of resource.fields) {
      if (field.kind === 'collection' || !field.column || keptColumns.test(field.column) || done.has(field.column))
        continue;
      done.add(field.column);
      const isRequired = field.isRequired || resource.settings.requires.includes(field.property);
      const mayBeNull = columns.has(field.column) && !isRequired;
      for (const id of ids) if (chance(this.dice, 6)) await this.set(resource, field, id, mayBeNull);
    }
  }

  private async ids({ table, discriminator }: ResourceType): Promise<number[]> {
    const kinds = discriminator?.values
      ? `where ${discriminator.column}::text = any($1)`
      : 'where $1::text[] is not null';
    const { rows } = await this.client.query(`select id from "${table}" ${kinds} order by id`, [
      (discriminator?.values ?? []).map(String),
    ]);
    const all = rows.map(({ id }) => Number(id));
    // A sample of a long list is as uneven as the whole.
    const some = all.length > 300 ? all.filter(() => this.dice(all.length) < 300) : all;
    return table === 'general_user' ? some.filter((id) => !this.callers.includes(id)) : some;
  }

  private async nullable(table: string): Promise<Set<string>> {
    const { rows } = await this.client.query(
      `select column_name from information_schema.columns where table_name = $1 and is_nullable = 'YES'`,
      [table],
    );
    return new Set(rows.map((row) => row.column_name));
  }

  private async set(
    resource: ResourceType,
    field: Exclude<Field, { kind: 'collection' }>,
    id: number,
    mayBeNull: boolean,
  ) {
    const { table, name } = resource;
    const isDelete = field.kind === 'scalar' && field.column === 'delete_date';
    if (isDelete && !chance(this.dice, 50)) return;
    if (name === 'Project' && field.name === 'Project') return;
    const isNull = mayBeNull && !isDelete && chance(this.dice, 45);
    const value = isNull ? null : await this.valueFor(field, resource, mayBeNull);
    if (value === undefined) return;
    await this.tried(`update "${table}" set "${field.column}" = $2 where id = $1`, [id, value]);
  }

  /** What a rule of the table refuses stays as it was. */
  private async tried(text: string, values: unknown[]): Promise<void> {
    await this.client.query(text, values).catch((error: { code?: string }) => {
      if (!/^23|^22/.test(error.code ?? '')) throw error;
    });
  }

  private async valueFor(
    field: ReferenceField | ScalarField,
    resource: ResourceType,
    isFree: boolean,
  ): Promise<unknown> {
    const { dice } = this;
    if (field.kind === 'reference') return this.someId(kindAsked(field, resource), isFree);
    switch (field.scalar) {
      case 'text':
      case 'richText':
        return pick(dice, oddTexts).slice(0, field.maxLength);
      case 'moment':
        return new Date(midnight(Date.now(), dice(400) - 200) + pick(dice, [0, 0, 3_600_000, 1]));
      case 'flag':
        return chance(dice, 50);
      case 'decimal':
      case 'double':
        return pick(dice, [0, 1, 2.5, 0.0001, 12.75, 100]);
      default:
        return undefined;
    }
  }

  /** Where nothing else depends on it, now and then of another kind. */
  private async someId(target: ResourceType, isFree = false): Promise<number | undefined> {
    const whole = isFree && chance(this.dice, 15) ? target.root : target;
    const key = whole.name;
    if (!this.idsByTable.has(key)) this.idsByTable.set(key, await this.ids(whole));
    const ids = this.idsByTable.get(key)!;
    return ids.length > 0 ? pick(this.dice, ids) : undefined;
  }

  private readonly idsByTable = new Map<string, number[]>();

  /** Of every type, in any letter case, with pointers at whatever there is, and of names that are defined nowhere. */
  async customValues(): Promise<void> {
    await this.client.query(
      `insert into custom_field (name, field_type, entity_type_id, process_id, numeric_priority)
       values ('Level', 'Number', 4, 3, 90), ('Level', 'Text', 4, 2, 90), ('Contact', 'Entity', 8, 3, 91), ('Links', 'MultipleEntities', 5, 3, 92)`,
    );
    const { rows: fields } = await this.client.query(
      'select name, field_type, value, entity_type_id from custom_field',
    );
    const { rows } = await this.client.query(
      `select 'general' as "table", id, entity_type_id from general union all select 'general_user', id, 6 from general_user where kind = 'User' order by 1, 2`,
    );
    for (const { table, id, entity_type_id } of rows) {
      const own = fields.filter((field) => field.entity_type_id === entity_type_id || chance(this.dice, 1));
      for (const field of own) {
        if (!chance(this.dice, 12)) continue;
        const value = JSON.stringify({ [field.name]: await this.customValue(field) });
        await this.client.query(`update "${table}" set custom_values = custom_values || $2 where id = $1`, [id, value]);
      }
    }
  }

  private async customValue({
    field_type: type,
    value,
  }: {
    field_type: string;
    value: string | null;
  }): Promise<unknown> {
    const { dice } = this;
    const options = (value ?? '').split(/\r?\n/).filter((one) => one !== '');
    const anyone = async (): Promise<number> => (await this.someId(model.resource('General'))) ?? 1;
    const text = pick(dice, oddTexts);
    switch (type) {
      case 'Number':
      case 'Money':
        return pick(dice, [0, -1, 2.5, 42, 1000.25]);
      case 'CheckBox':
        return chance(dice, 50);
      case 'Date':
        return new Date(midnight(Date.now(), dice(60))).toISOString();
      case 'DropDown':
        return options.length > 0 ? pick(dice, options) : text;
      case 'MultipleSelectionList':
        return options.filter(() => chance(dice, 50)).join(',') || null;
      case 'URL':
        return { Url: 'https://example.com/', Label: text };
      case 'Entity':
        return chance(dice, 30)
          ? { Id: 1 + dice(30), Kind: pick(dice, ['User', 'Requester']) }
          : { Id: await anyone(), Kind: 'Bug' };
      case 'MultipleEntities':
        return `${await anyone()} bug,${await anyone()} userstory`;
      default:
        return text;
    }
  }

  async tags(): Promise<void> {
    for (const name of ['ÄÖ tag', 'two words', '50%', "o'clock"]) {
      await this.tried('insert into tag (name) values ($1)', [name]);
      await this.tried(
        'insert into general_tag (general_id, tag_id) select g.id, t.id from general g, tag t where t.name = $1 and g.id % 13 = $2',
        [name, this.dice(13)],
      );
    }
  }
}

/** A record of the past is of the kind of what it tells about. */
function kindAsked({ target, column }: ReferenceField, { root, fields }: ResourceType): ResourceType {
  if (!/History$/.test(root.name)) return target;
  const narrowed = fields.find((one) => one.kind === 'reference' && one.column === column && one.isNarrowed);
  return narrowed?.kind === 'reference' ? narrowed.target : target;
}

const oddTexts = [
  'zz',
  'ZZ top',
  '',
  ' padded ',
  'a%b_c',
  "it's",
  '"quoted" & <b>bold</b>',
  'back\\slash',
  'äöü ÄÖÜ ß',
  'ΟΔΟΣ',
  'οδος',
  'İstanbul',
  'line\nbreak\ttab',
  '😀 é',
  'NULL and void',
  'Zebra',
  'zebra',
];
