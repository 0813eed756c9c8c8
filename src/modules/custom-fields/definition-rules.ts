/**
 * What the definition of a custom field must be: known by its name within its process and kind, and good for its type.
 */
import { byDefault, type Change, current, refuse, type Work } from '../../command/change.js';
import { optionRules } from './option-rules.js';
import { haveValues } from './stored-value-rules.js';

export async function definitionRules(changes: readonly Change[], { rows }: Work): Promise<void> {
  for (const change of changes) {
    refuseMove(change);
    if (typeof change.values.name === 'string') change.values.name = change.values.name.trim();
    configRule(change);
    optionRules(change);
  }
  await refuseOtherType(changes, rows);
  await checkKinds(changes, rows);
  await refuseTooMany(changes, rows);
  await placeAmongOthers(changes, rows);
}

/** Values lie with the entities of its process and kind. */
function refuseMove(change: Change): void {
  if (change.isNew) return;
  for (const [property, name] of [
    ['process', 'Process'],
    ['entityType', 'EntityType'],
  ] as const) {
    if (change.values[property] === undefined) continue;
    throw refuse(change, name, 'a custom field stays with its process and type; create another one.');
  }
}

function configRule(change: Change): void {
  const { config } = change.values;
  if (typeof config !== 'string') return;
  if (config.trim() === '') change.values.config = null;
  else if (!isJsonObject(config)) throw refuse(change, 'Config', 'a JSON object is needed, such as {"units":"kg"}.');
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

async function refuseOtherType(changes: readonly Change[], rows: Work['rows']): Promise<void> {
  const retyped = changes.filter(({ isNew, values }) => !isNew && 'fieldType' in values);
  if (retyped.length === 0) return;
  const used = await haveValues(retyped.map(before), rows);
  const change = retyped.find((_, at) => used[at]);
  if (change) throw refuse(change, 'FieldType', 'there are values of the present type; create another field.');
}

/** A definition as its values know it so far. */
export const before = ({ before: row }: Pick<Change, 'before'>) => ({
  from: row!.name as string,
  process: row!.process_id as number | null,
  kind: row!.entity_type_id as number,
});

interface Kind {
  id: number;
  name: string;
  scope: 'None' | 'Global' | 'Process';
}

/** Definitions of one kind are written one after another: each takes the next name of a column, and a name once. */
async function checkKinds(changes: readonly Change[], rows: Work['rows']): Promise<void> {
  const kinds = await rows<Kind>(
    `select id, name, custom_field_scope as scope from entity_type where id = any($1::bigint[]) order by id for no key update`,
    [[...new Set(changes.map((change) => current(change, 'entityType') ?? null))]],
  );
  for (const change of changes.filter(({ isNew }) => isNew)) {
    const kind = kinds.find(({ id }) => id === current(change, 'entityType'));
    if (!kind) continue;
    const process = current(change, 'process');
    if (kind.scope === 'None') throw refuse(change, 'EntityType', `${kind.name} has no custom fields.`);
    if (kind.scope === 'Global' && process !== undefined) {
      throw refuse(change, 'Process', `custom fields of ${kind.name} are the same in all processes; send none.`);
    }
    if (kind.scope === 'Process' && process === undefined) throw refuse(change, 'Process', 'a value is required.');
  }
}

/** Items show each field of their process, and each process of the service looks at all once a second. */
const most = { ofProcess: 500, ofAll: 5000 } as const;

async function refuseTooMany(changes: readonly Change[], rows: Work['rows']): Promise<void> {
  const created = changes.filter(({ isNew }) => isNew);
  if (created.length === 0) return;
  const counted = await rows<{ process: number; fields: number }>(
    'select coalesce(process_id, 0) as process, count(*)::int as fields from custom_field group by 1',
  );
  const fields = new Map(counted.map((row) => [Number(row.process), row.fields]));
  let all = counted.reduce((sum, row) => sum + row.fields, 0);
  for (const change of created) {
    const process = current(change, 'process') ?? 0;
    const own = (fields.get(process) ?? 0) + 1;
    all += 1;
    if (all > most.ofAll) throw refuse(change, 'Name', `there may be ${most.ofAll} custom fields, and there are.`);
    if (process !== 0 && own > most.ofProcess) {
      throw refuse(change, 'Process', `a process may have ${most.ofProcess} custom fields, and this one has.`);
    }
    fields.set(process, own);
  }
}

interface Sibling {
  id?: number;
  group: string;
  name: string;
  place: number;
  rank: number;
}

/** The name is taken once, in any letter case; a new field comes last. */
async function placeAmongOthers(changes: readonly Change[], rows: Work['rows']): Promise<void> {
  const siblings = await siblingsOf(changes, rows);
  for (const change of changes) {
    if (change.isNew) comeLast(change, siblings);
    if (typeof change.values.name !== 'string') continue;
    const name = change.values.name.toLowerCase();
    const group = groupOf(change);
    const same = siblings.find((one) => one.group === group && one.name === name && one.id !== change.id);
    if (same || siblings.some((one) => one.id === undefined && one.group === group && one.name === name)) {
      throw refuse(
        change,
        'Name',
        `there is a custom field '${change.values.name}' of this kind of item in this process already.`,
      );
    }
    const { entityFieldName, numericPriority } = change.values;
    const place = change.isNew ? placeOf(String(entityFieldName)) : 0;
    siblings.push({ group, name, place, rank: change.isNew ? Number(numericPriority) : 0 });
  }
}

const groupOf = (change: Change): string => `${current(change, 'process') ?? 0}:${current(change, 'entityType') ?? 0}`;

async function siblingsOf(changes: readonly Change[], rows: Work['rows']): Promise<Sibling[]> {
  const siblings = await rows<Omit<Sibling, 'place'> & { field: string | null }>(
    `select id, coalesce(process_id, 0) || ':' || entity_type_id as group, name, entity_field_name as field,
       numeric_priority as rank from custom_field
     where (coalesce(process_id, 0), entity_type_id) in (select * from unnest($1::bigint[], $2::bigint[]))`,
    [
      changes.map((change) => current(change, 'process') ?? 0),
      changes.map((change) => current(change, 'entityType') ?? null),
    ],
  );
  return siblings.map(({ field, name, ...row }) => ({ ...row, name: name.toLowerCase(), place: placeOf(field) }));
}

const placeOf = (field: string | null): number => Number(/^CustomField(\d{1,6})$/.exec(field ?? '')?.[1] ?? 0);

function comeLast(change: Change, siblings: readonly Sibling[]): void {
  const own = siblings.filter(({ group }) => group === groupOf(change));
  change.values.entityFieldName = `CustomField${Math.max(0, ...own.map(({ place }) => place)) + 1}`;
  byDefault(change, 'numericPriority', Math.max(0, ...own.map(({ rank }) => rank)) + 1);
}
