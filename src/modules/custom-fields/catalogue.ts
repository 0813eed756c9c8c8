/**
 * The definitions of custom fields, kept in memory: queries are compiled with them. Looked at again once a second at
 * most, so that a change on one replica reaches all.
 */
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { Replicas } from '../../database/replicas/replicas.js';
import { service } from '../../database/waiting-room.js';
import type { CustomFields } from '../../http/family-tokens.js';
import type { Model, ResourceType } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import type { CustomFieldDefinition, CustomFieldGroup, CustomFieldType } from '../../query/meaning.js';
import { mostAgeMs } from '../../runtime/freshness.js';

@Injectable()
export class Catalogue implements CustomFields {
  private all: readonly CustomFieldGroup[] = [];
  private text = '';
  private loadedAt = Number.NEGATIVE_INFINITY;
  private loading: Promise<void> | undefined;
  private changes = 0;

  constructor(
    private readonly replicas: Replicas,
    @Inject(MODEL) private readonly model: Model,
    @Inject(CONFIG) private readonly config: Pick<Config, 'timeZone'>,
  ) {}

  get timeZone(): string {
    return this.config.timeZone;
  }

  /** Grows whenever the definitions change: what was compiled before is out of date then. */
  get version(): number {
    return this.changes;
  }

  groups(entityTypeIds: readonly number[]): readonly CustomFieldGroup[] {
    return this.all.filter((group) => entityTypeIds.includes(group.entityTypeId));
  }

  /** Whether a kind has a custom field of this name in some process. */
  defines(resource: ResourceType, input: string): boolean {
    const name = input.toLowerCase();
    return this.groups(resource.entityTypeIds).some(({ fields }) =>
      fields.some((field) => field.name.toLowerCase() === name),
    );
  }

  /**
   * Undefined when what is known is young enough. Else a promise of the load, which may only be waited for by who holds
   * no connection: waiting for a second one, it could wait for those who wait for it.
   */
  refresh(): Promise<void> | undefined {
    if (performance.now() - this.loadedAt < mostAgeMs) return undefined;
    if (!this.loading) {
      this.loading = this.load().finally(() => {
        this.loading = undefined;
      });
      // Whether or not somebody waits.
      this.loading.catch(() => undefined);
    }
    return this.loading;
  }

  /** For the writer of a definition, whose next read must see it. */
  async reload(): Promise<void> {
    await this.load();
  }

  /**
   * As a transaction sees them, on its own connection: waiting for a second one, it could wait for those who wait for
   * it.
   */
  async within({ rows }: Within): Promise<readonly CustomFieldGroup[]> {
    return grouped(await rows<DefinitionRow>(query), this.model);
  }

  /**
   * The same for a transaction that has written nothing yet: what it sees is there for others, too. Its answer shows
   * what it stores.
   */
  async ahead({ rows }: Within): Promise<readonly CustomFieldGroup[]> {
    const asked = performance.now();
    const definitions = await rows<DefinitionRow>(query);
    this.keep(definitions, asked);
    return grouped(definitions, this.model);
  }

  private async load(): Promise<void> {
    const asked = performance.now();
    const { rows } = await this.replicas.readForService((client) => client.query<DefinitionRow>(query), service);
    this.keep(rows, asked);
  }

  /** Age counts from the question: the answer may describe the moment it was asked. */
  private keep(rows: readonly DefinitionRow[], asked: number): void {
    // A load that began before another one knows less.
    if (asked < this.loadedAt) return;
    this.loadedAt = asked;
    const text = JSON.stringify(rows);
    if (text === this.text) return;
    this.text = text;
    this.all = grouped(rows, this.model);
    this.changes += 1;
  }
}

interface Within {
  rows<R>(text: string): Promise<R[]>;
}

/** By its configuration; the service does not calculate it, and nobody may write it. */
function isCalculated(config: string | null): boolean {
  if (!config?.includes('CalculationModel')) return false;
  try {
    return Boolean(JSON.parse(config).CalculationModel);
  } catch {
    return false;
  }
}

interface DefinitionRow {
  process_id: number | null;
  entity_type_id: number;
  name: string;
  field_type: CustomFieldType;
  value: string | null;
  is_system: boolean;
  config: string | null;
}

const query = `select process_id, entity_type_id, name, field_type, value, is_system, config from custom_field
  order by process_id nulls first, entity_type_id, numeric_priority, id`;

function grouped(rows: readonly DefinitionRow[], model: Model): CustomFieldGroup[] {
  const groups = new Map<string, CustomFieldGroup>();
  for (const row of rows) {
    const key = `${row.process_id}:${row.entity_type_id}`;
    const group = groups.get(key) ?? { processId: row.process_id, entityTypeId: row.entity_type_id, fields: [] };
    group.fields.push(definition(row, model));
    groups.set(key, group);
  }
  return [...groups.values()];
}

const definition = (
  { name, field_type: type, value, is_system: isSystem, config }: DefinitionRow,
  model: Model,
): CustomFieldDefinition => ({
  name,
  type,
  isSystem: isSystem || isCalculated(config),
  options: (value ?? '')
    .split(/\r?\n/)
    .map((option) => option.trim())
    .filter((option) => option !== ''),
  target:
    type === 'Entity' || type === 'MultipleEntities'
      ? { resource: model.general, people: model.person, where: [] }
      : undefined,
});
