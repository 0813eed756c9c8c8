/** What an agent can write instead of a path or a condition that does not fit, where the API does not say it. */
import { camelCase } from '../model/camel-case.js';
import type { Model, ResourceType } from '../model/model.js';
import { labelOf } from './kinds.js';

/** With a blank in front; empty where there is nothing to add. */
export const adviceOn = (message: string, model: Model): string => {
  const advice = onName(message, model) ?? onOperands(message, model) ?? onBlanks(message);
  return advice === undefined ? '' : ` ${advice}`;
};

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
