/** `GetCustomValueString('Risk')` and `IsCustomValueChanged('Risk')`: custom fields as they were. */
import type { ResourceType } from '../../model/model.js';
import { type RowExpression, type Sql, sql, value } from '../../sql.js';
import { previousValue } from '../compile/value.js';
import type { Operand, Value } from '../meaning.js';
import { boolean, text } from '../types.js';
import { compare, computed, fieldOf, series } from '../values.js';
import type { Name } from './expression.js';
import { customNamed, valueText } from './resolve-custom-values.js';
import { type Place, refuse } from './resolving.js';

type CustomField = Extract<Operand, { kind: 'custom' }>;

/** The kind whose past a full history tells. */
function historicKind(resource: ResourceType): ResourceType | undefined {
  const current = resource.fields.find(({ name }) => name.startsWith('Current'));
  return current?.kind === 'reference' && current.isNarrowed ? current.target : undefined;
}

/** Of an entity itself the text is that of today. A field that is no longer defined is read by the name it had. */
export function customValueString(of: Value, resource: ResourceType, node: Name, place: Place): Value {
  const { context } = place;
  const name = nameIn(node, place);
  const kind = historicKind(resource) ?? resource;
  if (!kind.settings.customFields) throw refuse(context, node, `'${resource.name}' has no custom fields`);
  const field = customNamed(of, kind, name, context);
  if (field) return valueText(field, node, place);
  return computed(of, text, (column) => undefinedText(sql`(${column('custom_values')} -> ${value(name, 'text')})`));
}

/** What no definition tells about may have pointed at what is not everybody's to see: that is not told. */
const undefinedValue = (stored: Sql): Sql =>
  sql`(case when ${stored} ->> 'Kind' is null and not coalesce(${stored} #>> '{}' ~ '^[0-9]+ [A-Za-z]+(,|$)', false) then ${stored} end)`;

const undefinedText = (stored: Sql): Sql =>
  sql`(case jsonb_typeof(${stored}) when 'object' then ${undefinedValue(stored)} ->> 'Url'
    when 'boolean' then initcap(${stored} #>> '{}') else ${undefinedValue(stored)} #>> '{}' end)`;

export function isCustomValueChanged(of: Value, resource: ResourceType, call: Name, place: Place): Value {
  const { context } = place;
  const name = nameIn(call, place);
  const kind = historicKind(resource);
  if (!kind) throw refuse(context, call, `${call.name} is asked of full histories, such as UserStoryHistory`);
  const current = customNamed(of, kind, name, context);
  const operand = current?.kind === 'field' || current?.kind === 'pointed' ? current.operand : undefined;
  const field = operand?.kind === 'custom' ? operand : undefined;
  const recorded = isRecorded(of, field?.name ?? name);
  if (field && !field.target) return recorded;
  const isSeen = field ? pointsElsewhere(of, field) : undefinedChanged(of, name);
  return series('and', [recorded, isSeen]);
}

const isRecorded = (of: Value, name: string): Value =>
  computed(
    of,
    boolean,
    (column) => sql`coalesce(${value(name, 'text')} = any(${column('changed_custom_values')}), false)`,
  );

/** A pointer changes for the reader if what he sees of it does. As a text it tells both one entity and several. */
function pointsElsewhere(of: Value, field: CustomField): Value {
  const pointersAt = (values?: CustomField['values']): Value => ({
    ...fieldOf(of, { ...field, type: 'Text', values }),
    type: text,
  });
  return compare('ne', [pointersAt(), pointersAt(valuesBefore(of))]);
}

/** Pointers of fields that are defined no longer are shown to nobody. */
const undefinedChanged = (of: Value, name: string): Value =>
  computed(of, boolean, (column) => {
    const readable = (values: Sql): Sql => undefinedValue(sql`(${values} -> ${value(name, 'text')})`);
    return sql`(${readable(column('custom_values'))} is distinct from ${readable(valuesBefore(of)(column))})`;
  });

/** The values of the record before. */
function valuesBefore({ type }: Value): RowExpression {
  if (type.kind !== 'entity') throw new Error('a history is a list of records');
  const { table } = type.resource;
  return (row) => previousValue(table, 'custom_values', row);
}

function nameIn(node: Name, place: Place): string {
  const [arg] = node.args ?? [];
  const name = arg && place.resolve(arg, place);
  if (node.args?.length === 1 && name?.kind === 'literal' && typeof name.value === 'string') return name.value;
  throw refuse(place.context, node, `${node.name} takes one argument: the name of a custom field, as a text`);
}
