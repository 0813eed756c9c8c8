/** What an agent can write instead of a path or a condition that does not fit, where the API does not say it. */
import { camelCase } from '../model/camel-case.js';
import type { Field, Model, ResourceType } from '../model/model.js';
import { labelOf } from './kinds.js';

/** With a blank in front; empty where there is nothing to add. */
export const adviceOn = (message: string, model: Model, query: Readonly<Record<string, string>>): string => {
  const advice =
    onCollection(message, model, query) ?? onName(message, model) ?? onOperands(message, model) ?? onBlanks(message);
  return advice === undefined ? '' : ` ${advice}`;
};

const missing = /^(Property|Method) '([^']+)' does not exist in 'IEnumerable<(\w+)>'\. .*\((\w+), at (\d+)\)$/;

/** Of many items a member is asked for by what makes one value of them. */
function onCollection(message: string, model: Model, query: Readonly<Record<string, string>>): string | undefined {
  const [, what, name, type, parameter, at] = missing.exec(message) ?? [];
  const resource = type === undefined ? undefined : model.collection(type);
  if (!resource || message.includes('Did you mean')) return undefined;
  const text = query[parameter!] ?? '';
  const path = /(?<![\w.])([A-Za-z][\w.]*)\.$/.exec(text.slice(0, Number(at)))?.[1];
  const before = path === undefined ? '' : `${path}.`;
  const field = resource.field(name!);
  const isMeasure = parameter === 'result' && path === undefined;
  if (what === 'Method') return `Write ${isMeasure ? measures : collected}.`.replaceAll('<path>', before);
  if (!field) return onName(`Property '${name}' does not exist in '${type}'. (`, model);
  if (isMeasure)
    return isNumber(field) ? `Write sum(${name}), average(${name}), min(${name}) or max(${name}).` : ofGroups(name!);
  if (parameter === 'where')
    return `Write ${before}any(${comparison(text.slice(Number(at))) ?? `${name} is not null`}).`;
  return parameter === 'select'
    ? `Write ${before}select(${name}).`
    : `Write ${before}min(${name}) or ${before}max(${name}).`;
}

const measures = 'count, sum(…), average(…), min(…) or max(…)';
const collected = '<path>count(), <path>any(…), <path>where(…), <path>select(…), <path>sum(…) or <path>first()';

const ofGroups = (name: string): string =>
  `Write count, or count(${name} is not null); what groups are made by is for groupBy: ["${name}"].`;

const numbers: readonly string[] = ['integer', 'long', 'decimal', 'double'];

const isNumber = (field: Field): boolean => field.kind === 'scalar' && numbers.includes(field.scalar);

/** The member with what it is compared with, as far as that is a single value. */
const comparison = (text: string): string | undefined =>
  /^\w+\s*(?:==|!=|<=|>=|<|>)\s*(?:'(?:[^'\\]|\\.)*'|[\w.-]+)|^\w+\s+is\s+(?:not\s+)?null/i.exec(text)?.[0];

function onName(message: string, model: Model): string | undefined {
  const [, name, type] = /^Property '([^']+)' does not exist in '(\w+)'\. \(/.exec(message) ?? [];
  const resource = type === undefined ? undefined : model.collection(type);
  if (!resource) return undefined;
  if (/^custom/i.test(name!)) return customFieldsAdvice;
  const similar = fieldsEndingIn(name!, resource);
  const call = `describe ${JSON.stringify({ kind: resource.name })}`;
  return `${similar.length > 0 ? `There is ${similar.join(', ')}; call` : 'Call'} ${call} for all fields.`;
}

const mostSimilar = 5;

/** Those that the name is the last word of, such as `entityState` of `state`. */
const fieldsEndingIn = (name: string, { fields }: ResourceType): string[] =>
  fields
    .filter((field) => field.kind !== 'scalar' || !field.isWriteOnly)
    .map((field) => field.name)
    .filter((one) => one.endsWith(name.charAt(0).toUpperCase() + name.slice(1)))
    .slice(0, mostSimilar)
    .map(camelCase);

function onOperands(message: string, model: Model): string | undefined {
  const [, ...types] = /^Operator '[^']+' incompatible with operand types '(\w+)' and '(\w+)'\. \(/.exec(message) ?? [];
  const resource = types.map((type) => model.collection(type)).find((one) => one !== undefined);
  return resource && `A ${resource.name} is compared by a field of it: put .${labelOf(resource)} or .id behind it.`;
}

/** Names with blanks are those of custom fields. */
const onBlanks = (message: string): string | undefined =>
  /: expected an operator or the end .*, found "\p{L}/u.test(message) ? customFieldsAdvice : undefined;

export const customFieldsAdvice =
  "Custom fields stand by their names without blanks and signs, such as ReleaseNotes, or as customValues['Release Notes'].";
