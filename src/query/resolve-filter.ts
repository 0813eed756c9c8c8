/** Turns a Filter into a Condition: paths become chains of fields, words become typed values. */
import { aggregateInWhere, badOperator, notComparable, tooMuch, unknownField } from '../errors.js';
import type { CollectionField, ReferenceField, ResourceType } from '../model/model.js';
import { limits } from './limits.js';
import { textOf, typedValue } from './literals.js';
import type { Condition, CustomFieldCatalogue, Operand } from './meaning.js';
import { nearest } from './near.js';
import type { Filter, Literal, PathAt } from './query.js';
import { customOperand } from './resolve-custom.js';
import { fieldNamed, namedFields } from './resolve-field.js';
import { tagCondition } from './resolve-tags.js';
import { isCustomFields, joinCustomName } from './scanner.js';

type Test = Exclude<Filter, { kind: 'and' | 'or' | 'not' }>;

export function resolveFilter(filter: Filter, resource: ResourceType, catalogue: CustomFieldCatalogue): Condition {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return { kind: filter.kind, parts: filter.parts.map((part) => resolveFilter(part, resource, catalogue)) };
    case 'not':
      return { kind: 'not', part: resolveFilter(filter.part, resource, catalogue) };
    default:
      return resolveTest(filter, resource, catalogue);
  }
}

function resolveTest(test: Test, resource: ResourceType, catalogue: CustomFieldCatalogue): Condition {
  const { steps, end, last } = resolvePath(test.path, resource, catalogue);
  const { positive, negated } = end
    ? testOf(end, test, { resource: last, timeZone: catalogue.timeZone })
    : presence(steps.at(-1)!, test);
  const condition = positive ? [positive] : [];
  if (!negated) return wrap(steps, condition);
  // A negated test also holds where a reference on the way is missing; through a collection it asks for an item that it holds for.
  const items = (end ? steps : steps.slice(0, -1)).findLastIndex((step) => step.kind === 'collection') + 1;
  return wrap(steps.slice(0, items), [{ kind: 'not', part: wrap(steps.slice(items), condition) }]);
}

type Step = ReferenceField | CollectionField;

/** Leads conditions on the last row back along the path to the first. */
function wrap(steps: readonly Step[], innermost: Condition[]): Condition {
  let where = innermost;
  for (const step of [...steps].reverse()) {
    where = [
      step.kind === 'collection' ? { kind: 'some', field: step, where } : { kind: 'related', field: step, where },
    ];
  }
  return where[0]!;
}

interface Resolved {
  steps: Step[];
  /** Undefined when the path ends at a reference or collection. */
  end?: Operand & { options?: readonly string[] };
  last: ResourceType;
}

function resolvePath({ names, at }: PathAt, resource: ResourceType, catalogue: CustomFieldCatalogue): Resolved {
  const steps: Step[] = [];
  let current = resource;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const field = fieldNamed(current, name);
    if (!field && isCustomFields(name) && !isLast && current.settings.customFields) {
      return { steps, end: customOperand(names.slice(index + 1).join('.'), current, catalogue), last: current };
    }
    if (!field || (field.kind === 'scalar' && (field.isWriteOnly || !isLast))) throw unknown(names, index, current);
    if (field.kind === 'scalar') return { steps, end: { kind: 'field', field }, last: current };
    steps.push(field);
    current = field.target;
    // What looked like the name of a custom field is a path where there is a collection of that name.
    if (isCustomFields(name) && !isLast) {
      const rest = resolvePath({ names: pathOf(names[index + 1]!), at }, current, catalogue);
      return { ...rest, steps: [...steps, ...rest.steps] };
    }
  }
  return { steps, last: current };
}

function pathOf(text: string): string[] {
  const names = text.split('.');
  if (names.length > limits.depth) throw tooMuch('where', 'too many levels of names', limits.depth);
  return joinCustomName(names);
}

function unknown(names: readonly string[], index: number, current: ResourceType) {
  const name = names[index]!;
  const [collection, ...rest] = name.split('-');
  if (rest.length > 0 && isCollection(collection!, current)) return aggregateInWhere(name);
  const readable = namedFields(current).filter((field) => field.kind !== 'scalar' || !field.isWriteOnly);
  return unknownField(
    current.name,
    name,
    nearest(
      name,
      readable.map((field) => field.name),
    ),
  );
}

const isCollection = (name: string, type: ResourceType): boolean =>
  [type.field(name), ...type.kindFields(name).map(({ field }) => field)].some((field) => field?.kind === 'collection');

/** A path that ends at a reference or collection can only be asked whether there is anything. */
function presence(step: Step, test: Test): { positive?: undefined; negated: boolean } {
  if (test.kind === 'null') return { negated: !test.negated };
  if (test.kind === 'compare' && isNull(test.value) && (test.operator === 'eq' || test.operator === 'ne')) {
    return { negated: test.operator === 'eq' };
  }
  throw notComparable(step.name);
}

const isNull = (value: Literal): boolean => value.text.toLowerCase() === 'null';

function testOf(
  operand: Operand & { options?: readonly string[] },
  test: Test,
  { resource, timeZone }: { resource: ResourceType; timeZone: string },
): { positive: Condition; negated: boolean } {
  const name = nameOf(operand);
  const isTags =
    operand.kind === 'field' && operand.field.name === 'Tags' && resource.field('TagObjects') !== undefined;
  switch (test.kind) {
    case 'null':
      return { positive: hasValue(operand), negated: !test.negated };
    case 'contains':
      if (isTags) return { positive: tagCondition(test.value, resource), negated: test.negated };
      if (!isText(operand)) throw badOperator(name, 'contains', 'it asks for a part of a text');
      return { positive: { kind: 'contains', operand, text: textOf(test.value) }, negated: test.negated };
    case 'in': {
      const values = test.values.map((value) => typedValue(value, operand, timeZone));
      return { positive: { kind: 'in', operand, values }, negated: test.negated };
    }
    case 'compare': {
      const { operator, value } = test;
      const equality = operator === 'eq' || operator === 'ne';
      if (isNull(value) && equality) return { positive: hasValue(operand), negated: operator === 'eq' };
      if (isNull(value)) throw badOperator(name, operator, 'null has no order; use is null or is not null');
      const compared: Condition = {
        kind: 'compare',
        operand,
        operator: equality ? 'eq' : operator,
        value: typedValue(value, operand, timeZone),
      };
      return { positive: compared, negated: operator === 'ne' };
    }
  }
}

const hasValue = (operand: Operand): Condition => ({ kind: 'not', part: { kind: 'null', operand } });

export const nameOf = (operand: Operand): string =>
  operand.kind === 'field' ? operand.field.name : `CustomFields.${operand.name}`;

const customTexts = new Set([
  'Text',
  'RichText',
  'DropDown',
  'MultipleSelectionList',
  'TemplatedURL',
  'MultipleEntities',
  'URL',
]);

function isText(operand: Operand): boolean {
  if (operand.kind === 'custom') return customTexts.has(operand.type);
  return operand.field.scalar === 'text' || operand.field.scalar === 'richText' || operand.field.scalar === 'choice';
}
