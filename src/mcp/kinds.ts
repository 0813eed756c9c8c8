/** Kinds of entities by the names that callers use, and what is shown of one in a list. */

import { camelCase } from '../model/camel-case.js';
import type { Model, ResourceType } from '../model/model.js';
import { nearest } from '../texts/near.js';
import { cut } from '../texts/quoted-text.js';
import { type ToolContext, ToolError } from './tool.js';

/** Singular or plural, in any letter case. Errors: ToolError. */
export function kindNamed(model: Model, input: string): ResourceType {
  const resource = model.collection(input);
  if (resource) return resource;
  const near = nearest(
    input,
    model.resources.map(({ name }) => name),
  );
  const next = near ? `Did you mean ${near}?` : 'Call describe without a kind for a list.';
  throw new ToolError(`There is no kind ${cut(input)}. ${next}`);
}

/** Errors: ToolError for a kind whose answer tells once what nobody can ask for again. */
export function creatableKind(context: ToolContext, input: string): ResourceType {
  const resource = kindNamed(context.model, input);
  if (!resource.settings.answeredOnCreate) return resource;
  throw new ToolError(`${resource.name} is made by people, who alone are shown it: at ${context.base}/profile.`);
}

/** Fields that say most about an entity, in this order; a kind has some of them. */
const telling = [
  ...['name', 'fullName', 'login', 'entityState', 'project', 'assignable', 'general', 'user', 'owner'],
  ...['spent', 'date', 'effort', 'isFinal'],
];

/** A selection of version 2. */
export function summaryOf(resource: ResourceType): string[] {
  const fields = telling.flatMap((property) => resource.ofProperty(property) ?? []);
  const shown = fields.map((field) => {
    const path = camelCase(field.name);
    return field.kind === 'reference' ? `${path}.${labelOf(field.target)}` : path;
  });
  const isNamed = resource.nameField !== undefined || resource.field('FullName') !== undefined;
  return ['id', ...shown, ...(!isNamed && resource.field('Description') ? ['description'] : [])];
}

export function labelOf({ labelField }: ResourceType): string {
  return camelCase(labelField.name);
}

/**
 * Paths end in `name` mostly, so each is shown under its whole path: `feature.epic.name` as `featureEpic`. Of calls of
 * one name the second and further ones have names of their own: `sum(timeSpent)` is `sumTimeSpent`. Each is asked for
 * once.
 */
export function namedOnce(expressions: readonly string[]): string[] {
  const members = new Map<string, string>();
  // What is named after itself keeps its name: of `feature.name, feature` the first is `featureName`.
  const plain = new Set(expressions.flatMap((one) => givenName.exec(one)?.slice(1).find(Boolean)?.toLowerCase() ?? []));
  const calls = new Set(plain);
  for (const expression of new Set(expressions)) {
    const member = named(namedCall(expression, calls), plain);
    const key = member.toLowerCase();
    if (!members.has(key)) members.set(key, member);
  }
  return [...members.values()];
}

const word = '[\\p{L}_][\\p{L}\\p{M}\\p{N}_]*';
const words = new RegExp(word, 'gu');
/** `count` of `count: tasks.count()` and of `count`; of `tasks.count() as count`, too. */
const givenName = new RegExp(`^(${word})\\s*(?::|$)|\\sas\\s+(${word})\\s*$`, 'iu');
/** A path, of which what stands in parentheses is left out, and its last name. */
const pathEnd = new RegExp(`^[\\p{L}\\p{M}\\p{N}_.[\\]]*?(?<![\\p{L}\\p{M}\\p{N}_])(${word})$`, 'u');

/** A backslash or a doubled quote stands for the character itself. */
const withoutTexts = (expression: string): string => expression.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gs, '');

const mostOfName = 60;

/** Adds the name of the call to those that are taken. */
function namedCall(expression: string, taken: Set<string>): string {
  const label = calledIn(expression);
  if (label === undefined) return expression;
  const whole = joined((withoutTexts(expression).match(words) ?? []).join('.')).slice(0, mostOfName);
  const names = [label, whole, ...Array.from({ length: expression.length }, (_, at) => `${whole}${at + 2}`)];
  const name = names.find((one) => !taken.has(one.toLowerCase())) ?? label;
  taken.add(name.toLowerCase());
  return name === label ? expression : `${name}:${expression}`;
}

/** The last name of a path that ends in a call: `count` of `tasks.where(effort>1).count()`. */
function calledIn(expression: string): string | undefined {
  if (!expression.trimEnd().endsWith(')')) return undefined;
  let depth = 0;
  let path = '';
  for (const sign of withoutTexts(expression).replace(/\s+/g, '')) {
    if (sign === ')') depth--;
    if (depth === 0 && sign !== ')' && sign !== '(') path += sign;
    if (sign === '(') depth++;
  }
  return pathEnd.exec(path)?.[1];
}

/** What each member shows, by its name in lower case, as far as the name is written there. */
export const shownBy = (members: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    members.flatMap((member) => {
      const [, name, expression] = /^(\w+)\s*(?::(.*))?$/s.exec(member) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), expression?.trim() ?? name]];
    }),
  );

function named(expression: string, taken: ReadonlySet<string>): string {
  if (!/^\w+(?:\.\w+)+$/.test(expression)) return expression;
  const short = joined(expression.replace(/\.(?:name|fullName)$/i, ''));
  return `${taken.has(short.toLowerCase()) ? joined(expression) : short}:${expression}`;
}

const joined = (path: string): string =>
  path
    .split('.')
    .map((word, at) => (at === 0 ? word.charAt(0).toLowerCase() : word.charAt(0).toUpperCase()) + word.slice(1))
    .join('');

/** An order of groups names members: what was asked for, written once more, stands for its member. */
export function byMembers(order: string, members: readonly string[]): string {
  const named = members.map((one) => /^(\w+)\s*:(.*)$/s.exec(one) ?? ['', /^\w+/.exec(one)?.[0] ?? one, one]);
  const expressions = named.map(([, name, expression]) => ({ name: name!, pattern: loosely(expression!.trim()) }));
  const any = expressions.map(({ pattern }) => `(${pattern})`).join('|');
  return order.replace(new RegExp(`(?<![\\w.])(?:${any})(?![\\w.(])`, 'gi'), (all, ...groups: unknown[]) => {
    const at = groups.slice(0, expressions.length).findIndex((group) => group !== undefined);
    return expressions[at]?.name ?? all;
  });
}

/** As it is written, or with other blanks. */
const loosely = (expression: string): string =>
  (expression.match(/\w+|\S/g) ?? []).map((word) => word.replace(/\W/g, '\\$&')).join('\\s*');

/** Of version 2. */
export const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&')}'`;
