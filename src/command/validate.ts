/** Runs class-validator's rules on the values to be written and tells all complaints at once. */
import { invalidEntity, unwritableText } from '../errors.js';
import { byResource } from '../model/by-resource.js';
import type { Field, ResourceType } from '../model/model.js';
import { validator } from '../model/stated-rules.js';
import { isXmlText, showsNothing } from '../texts/characters.js';
import { keepRules } from './rules-of-values.js';

export interface Draft {
  resource: ResourceType;
  isNew: boolean;
  /** Values by property name; references as `{ id }` or null. */
  values: Record<string, unknown>;
  command: { path: string };
}

export function validate({ resource, isNew, values, command: { path } }: Draft): void {
  const measured = withoutLongTexts(resource, values);
  const complaints = keepRules(resource, measured) ? [] : complaintsOf(resource, measured);
  const required = requiredFields(resource);
  const missing = isNew ? required.filter(({ property }) => values[property] == null) : [];
  const blank = required.filter(({ name, property }) => name === 'Name' && isBlank(values[property]));
  for (const { name } of [...blank, ...toSend(missing, resource)]) complaints.push(`${name}: a value is required.`);
  if (complaints.length > 0) throw invalidEntity([...new Set(complaints)].map((complaint) => path + complaint));
}

/** What a rule fills in by another value that is missing as well comes with that. */
function toSend(missing: readonly Field[], { settings: { filled } }: ResourceType): readonly Field[] {
  const sent = missing.filter(({ property }) => !filled.includes(property));
  return sent.length > 0 ? sent : missing;
}

/** Fields that a client has to give for a new entity. */
const requiredFields = byResource(({ fields }) =>
  fields.filter(
    (field) =>
      field.kind !== 'collection' && field.isRequired && field.isSettable && !isWriteOnly(field) && field.name !== 'Id',
  ),
);

/** What the rules tell of a text, its first characters tell. */
const charactersToJudge = 1000;

/**
 * The values, with as little of a long text as makes no difference to the rules. class-validator makes a list of all
 * characters in two parts, and takes an emoji with the mark for its looks for one.
 */
function withoutLongTexts(resource: ResourceType, values: Record<string, unknown>): Record<string, unknown> {
  let measured = values;
  for (const [property, value] of Object.entries(values)) {
    const field = resource.ofProperty(property);
    const most = field?.kind === 'scalar' ? field.maxLength : undefined;
    if (typeof value !== 'string' || most === undefined || value.length <= Math.min(most, charactersToJudge)) continue;
    const short = hasMoreCharacters(value, most) ? 'x'.repeat(most + 1) : value.slice(0, charactersToJudge);
    if (measured === values) measured = { ...values };
    measured[property] = short;
  }
  return measured;
}

/** A character of two UTF-16 halves counts as one. */
function hasMoreCharacters(text: string, most: number): boolean {
  if (text.length <= most || text.length > 2 * most) return text.length > most;
  let characters = text.length;
  for (let at = 1; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) characters -= 1;
  return characters > most;
}

/** However a text came, or whichever rule made it: what is stored can be answered in XML. */
export function refuseUnwritable({ resource, values, command: { path } }: Draft): void {
  for (const [property, value] of Object.entries(values)) {
    if (typeof value === 'string' && !isXmlText(value)) throw unwritableText(`${path}${wire(resource, property)}`);
  }
}

function complaintsOf(resource: ResourceType, values: Record<string, unknown>): string[] {
  const entity = Object.assign(Object.create(resource.entity.prototype) as object, values);
  const violations = validator().validateSync(entity, { skipMissingProperties: true, forbidUnknownValues: false });
  return violations.map(({ property, constraints }) => `${wire(resource, property)}: ${messageOf(constraints)}.`);
}

/** Rules have made something else of it. */
const isWriteOnly = (field: Field): boolean => field.kind === 'scalar' && field.isWriteOnly;

const isBlank = (value: unknown): boolean => typeof value === 'string' && value !== '' && showsNothing(value);

const wire = (resource: ResourceType, property: string): string => resource.ofProperty(property)?.name ?? property;

/** class-validator's own words name the property; ours name the rule. */
function messageOf(constraints: Record<string, string> = {}): string {
  if ('isNotEmpty' in constraints) return 'a value is required';
  const length = /(\d+) characters/.exec(constraints.maxLength ?? '')?.[1];
  if (length) return `at most ${length} characters are allowed`;
  return Object.values(constraints)[0] ?? 'the value is not allowed';
}
