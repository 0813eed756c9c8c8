/** `GetCustomValueString('Risk')` and `IsCustomValueChanged('Risk')`: custom fields as they were. */
import type { ResourceType } from '../../model/model.js';
import { type Sql, sql, value } from '../../sql.js';
import { customNamed, valueText } from './resolve-custom-values.js';
import { computed } from './resolve-entity.js';
import { resolveExpression } from './resolve-expression.js';
import type { Name } from './resolve-name.js';
import { type Place, refuse } from './resolving.js';
import type { Typed } from './typed.js';
import { boolean, text } from './types.js';

/** The kind whose past a full history tells. */
function historicKind(resource: ResourceType): ResourceType | undefined {
  const current = resource.fields.find(({ name }) => name.startsWith('Current'));
  return current?.kind === 'reference' && current.isNarrowed ? current.target : undefined;
}

/** Of an entity itself the text is that of today. A field that is no longer defined is read by the name it had. */
export function customValueString(of: Typed, resource: ResourceType, said: Name, place: Place): Typed {
  const { context } = place;
  const name = nameIn(said, place);
  const kind = historicKind(resource) ?? resource;
  if (!kind.settings.customFields) throw refuse(context, said, `'${resource.name}' has no custom fields`);
  const found = customNamed(of, kind, name, context);
  if (found) return valueText(found, said, place);
  return computed(
    of,
    text,
    (column) => undefinedText(sql`(${column('custom_values')} -> ${value(name, 'text')})`),
    context,
  );
}

/** What no definition tells about may have pointed at what is not everybody's to see: that is not told. */
const undefinedText = (stored: Sql): Sql =>
  sql`(case jsonb_typeof(${stored}) when 'number' then ${stored} #>> '{}' when 'boolean' then initcap(${stored} #>> '{}')
    when 'object' then ${stored} ->> 'Url' when 'string' then case when ${stored} #>> '{}' ~ '^[0-9]+ [A-Za-z]+(,|$)' then null else ${stored} #>> '{}' end end)`;

export function isCustomValueChanged(of: Typed, resource: ResourceType, said: Name, place: Place): Typed {
  const { context } = place;
  const name = nameIn(said, place);
  const kind = historicKind(resource);
  if (!kind) throw refuse(context, said, `${said.name} is asked of full histories, such as UserStoryHistory`);
  const found = customNamed(of, kind, name, context);
  const known = (found?.kind === 'field' || found?.kind === 'pointed') && found.operand.kind === 'custom';
  const key = value(known ? (found.operand as { name: string }).name : name, 'text');
  return computed(
    of,
    boolean,
    (column) => sql`coalesce(${key} = any(${column('changed_custom_values')}), false)`,
    context,
  );
}

function nameIn(said: Name, place: Place): string {
  const [arg] = said.args ?? [];
  const name = arg && resolveExpression(arg, place);
  if (said.args?.length === 1 && name?.kind === 'literal' && typeof name.value === 'string') return name.value;
  throw refuse(place.context, said, `${said.name} takes one argument: the name of a custom field, as a text`);
}
