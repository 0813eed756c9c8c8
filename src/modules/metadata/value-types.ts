/** The types of values, which metadata lead to as to those of resources. */
import type { Model } from '../../model/model.js';
import { metaUri, type ResourceDescription } from './describe.js';

const descriptions: Readonly<Record<string, string>> = {
  Boolean: 'Either true or false.',
  DateTime: 'A date with a time.',
  Decimal: 'A number with four decimal places.',
  Double: 'A number of double precision.',
  Int32: 'A whole number of 32 bits; an Id has up to 53.',
  Int64: 'A whole number of 64 bits.',
  String: 'A text.',
};

/** By name in any letter case. */
export function valueTypeDescription(name: string, model: Model, base: string): ResourceDescription | undefined {
  const types = { ...descriptions, ...choicesOf(model) };
  const type = Object.entries(types).find(([own]) => own.toLowerCase() === name.toLowerCase());
  return type && emptyDescription(...type, base);
}

function choicesOf({ resources }: Model): Record<string, string> {
  const fields = resources.flatMap((resource) => resource.fields);
  const choices = fields.flatMap((field) =>
    field.kind === 'scalar' && field.choiceName ? [[field.choiceName, field.choices ?? []] as const] : [],
  );
  return Object.fromEntries(choices.map(([name, all]) => [name, `One of ${all.join(', ')}.`]));
}

/** Of what no client can write, without fields. */
export const emptyDescription = (name: string, description: string, base: string): ResourceDescription => ({
  Name: name,
  CanCreate: false,
  CanUpdate: false,
  CanDelete: false,
  IndexUri: metaUri(base)('Index'),
  Uri: metaUri(base)(name),
  Description: description,
  base: [],
  derived: [],
  values: [],
  references: [],
  collections: [],
  remarks: '',
});
