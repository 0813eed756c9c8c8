/** Runs class-validator's rules on the values to be written and tells all complaints at once. */
import { invalidEntity, unwritableText } from '../errors.js';
import type { Field, ResourceType } from '../model/model.js';
import { validator } from '../model/stated-rules.js';
import { isXmlText } from '../texts/xml-text.js';
import { keepRules } from './rules-of-values.js';

export interface Draft {
  resource: ResourceType;
  isNew: boolean;
  /** Values by property name; references as `{ id }` or null. */
  values: Record<string, unknown>;
  command: { path: string };
}

export function validate({ resource, isNew, values, command: { path } }: Draft): void {
  const complaints = keepRules(resource, values) ? [] : complaintsOf(resource, values);
  for (const field of resource.fields) {
    const missing = field.kind !== 'collection' && field.isRequired && isNew && values[field.property] == null;
    if (missing && field.isSettable && !isWriteOnly(field) && field.name !== 'Id')
      complaints.push(`${field.name}: a value is required.`);
    if (field.kind === 'scalar' && isBlank(field.name, field.isRequired, values[field.property])) {
      complaints.push(`${field.name}: a value is required.`);
    }
  }
  if (complaints.length > 0) throw invalidEntity([...new Set(complaints)].map((complaint) => path + complaint));
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

const isBlank = (name: string, isRequired: boolean, value: unknown): boolean =>
  name === 'Name' && isRequired && typeof value === 'string' && value !== '' && showsNothing(value);

/** Spaces, control characters and what is never drawn. */
const showsNothing = (text: string): boolean => /^[\s\p{Cc}\p{Cf}\p{DI}]*$/u.test(text);

const wire = (resource: ResourceType, property: string): string => resource.ofProperty(property)?.name ?? property;

/** class-validator's own words name the property; ours name the rule. */
function messageOf(constraints: Record<string, string> = {}): string {
  if ('isNotEmpty' in constraints) return 'a value is required';
  const length = /(\d+) characters/.exec(constraints.maxLength ?? '')?.[1];
  if (length) return `at most ${length} characters are allowed`;
  return Object.values(constraints)[0] ?? 'the value is not allowed';
}
