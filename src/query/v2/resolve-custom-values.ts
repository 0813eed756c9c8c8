/** Custom fields: by their names, with or without spaces, and through `CustomValues`. */
import type { ResourceType } from '../../model/model.js';
import { sql, value } from '../../sql.js';
import type { Of, Value } from '../meaning.js';
import { type Type, text } from '../types.js';
import { computed, customOperand, definitionsOf, fieldOf, literal, member, nothing, objectWith } from '../values.js';
import { asText } from './coerce.js';
import type { Expression, Name } from './expression.js';
import { nameOf } from './resolve-pointed.js';
import { type Context, type Place, refuse } from './resolving.js';

type CustomFields = Of<'customFields'>;

export const customFieldsOf = (of: Value, resource: ResourceType, { catalogue }: Context): Value => ({
  kind: 'customFields',
  of,
  groups: catalogue.groups(resource.entityTypeIds),
  type: { kind: 'customValues', resource },
  nullable: of.nullable,
});

/** As it can be said. */
const plain = (name: string): string => name.replace(/[^\p{L}\p{N}_]/gu, '');

export const customNames = (resource: ResourceType, { catalogue }: Context): string[] =>
  definitionsOf(resource, catalogue).map(({ name }) => plain(name));

/** The field as it is defined, if some process defines it. */
function definedName(resource: ResourceType, input: string, { catalogue }: Context): string | undefined {
  if (!resource.settings.customFields) return undefined;
  const names = definitionsOf(resource, catalogue).map(({ name }) => name);
  const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
  return names.find((name) => isSame(name, input)) ?? names.find((name) => isSame(plain(name), plain(input)));
}

export function customNamed(of: Value, resource: ResourceType, input: string, context: Context): Value | undefined {
  const name = definedName(resource, input, context);
  if (name === undefined) return undefined;
  // With its options, which tell a text that is one of them.
  const operand = customOperand(name, resource, context.catalogue);
  if (operand.type === 'Entity' && operand.target) {
    const target = operand.target.resource;
    return {
      kind: 'pointed',
      of,
      operand,
      resource: target,
      type: { kind: 'entity', resource: target },
      nullable: true,
    };
  }
  return fieldOf(of, operand);
}

/** `CustomValues["Risk"]`: a field that is defined nowhere is null. */
export function indexed({ key, at }: Extract<Expression, { kind: 'index' }>, of: Value, context: Context): Value {
  if (of.kind !== 'customFields')
    throw refuse(context, { at }, "Only CustomValues has values by name, as in CustomValues['Risk']");
  return byName(of, key, context) ?? nothing();
}

const byName = ({ of, type }: CustomFields, input: string, context: Context): Value | undefined =>
  customNamed(of, (type as Extract<Type, { kind: 'customValues' }>).resource, input, context);

/** `CustomValues.Text("Risk")`, `CustomValues.Get("Risk")`. */
export function customMember(of: CustomFields, node: Name, place: Place): Value | undefined {
  const { context } = place;
  const method = node.name.toLowerCase();
  if (!methods.has(method)) return node.args ? undefined : byName(of, node.name, context);
  const [arg] = node.args ?? [];
  const name = arg && place.resolve(arg, place);
  if (node.args?.length !== 1 || name?.kind !== 'literal' || typeof name.value !== 'string') {
    throw refuse(context, node, `${node.name} takes one argument: the name of a custom field, as a text`);
  }
  const value = byName(of, name.value, context) ?? nothing();
  if (method === 'text') return valueText(value, node, place);
  return method === 'get' ? described(of, value) : value;
}

const methods = new Set(['get', 'text', 'number', 'money', 'date', 'bool', 'checkbox', 'dropdown', 'entity']);

/** `{name, type, entityKind, value}` */
function described(of: CustomFields, value: Value): Value {
  const { resource } = of.type as Extract<Type, { kind: 'customValues' }>;
  const operand = value.kind === 'field' || value.kind === 'pointed' ? value.operand : undefined;
  if (operand?.kind !== 'custom') return nothing();
  const written = (name: string, word: string) => member(name, literal(word, text, 'text'));
  return objectWith([
    written('name', operand.name),
    written('type', operand.type),
    written('entityKind', resource.name),
    member('value', value),
  ]);
}

/** The value of a custom field of any type as a text: an address as where it leads, an entity as its name. */
export function valueText(field: Value, at: Name, place: Place): Value {
  if (field.type.kind === 'link' && field.kind === 'field' && field.operand.kind === 'custom') {
    const key = value(field.operand.name, 'text');
    return computed(field.of, text, (column) => sql`(${column('custom_values')} -> ${key} ->> 'Url')`);
  }
  if (field.kind === 'pointed') return nameOf(field, { kind: 'name', name: 'Name', at: at.at }, place);
  return asText(field, at, place.context);
}
