/** What a resource is, taken from the model: names, types and flags of its fields, and how lists of it are ordered. */
import type { Field, Model, ResourceType } from '../../model/model.js';
import { scalars } from '../../model/scalars.js';

export interface FieldDescription {
  Name: string;
  CanSet: boolean;
  CanGet: boolean;
  IsDeprecated: boolean;
  IsRequired: boolean;
  Type: string;
  IsTypeComplex: boolean;
  IsSynthetic: boolean;
  Description: string;
  Uri: string;
  CanAdd?: boolean;
  CanRemove?: boolean;
  IsBoundToParent: boolean;
}

export interface ResourceDescription {
  Name: string;
  CanCreate: boolean;
  CanUpdate: boolean;
  CanDelete: boolean;
  IndexUri: string;
  Uri: string;
  Description: string;
  base: { Name: string; Uri: string }[];
  derived: { Name: string; Uri: string }[];
  values: FieldDescription[];
  references: FieldDescription[];
  collections: FieldDescription[];
  remarks: string;
}

export function describe(resource: ResourceType, base: string): ResourceDescription {
  const { operations, describedOperations, description } = resource.settings;
  const isWritten = operations.create || operations.update;
  const uri = metaUri(base);
  const named = (type: ResourceType) => ({ Name: type.name, Uri: uri(type.collection) });
  const of = (kind: Field['kind']) => resource.fields.filter((field) => field.kind === kind).map(fieldDescription(uri));
  return {
    Name: resource.name,
    CanCreate: describedOperations.create,
    CanUpdate: describedOperations.update,
    CanDelete: describedOperations.delete,
    IndexUri: uri('Index'),
    Uri: uri(resource.collection),
    Description: description,
    base: [resource.base ?? resource.like].flatMap((type) => (type ? [named(type)] : [])),
    derived: [...resource.derived, ...resource.views].map(named),
    values: of('scalar'),
    references: of('reference'),
    collections: [...of('collection'), ...(resource.settings.customFields ? [customFields(uri, isWritten)] : [])],
    remarks: remarks(resource),
  };
}

export const metaUri = (base: string) => (collection: string) => `${base}/api/v1/${collection}/meta`;

const fieldDescription =
  (uri: (collection: string) => string) =>
  (field: Field): FieldDescription => {
    const type = typeOf(field);
    const isCollection = field.kind === 'collection';
    return {
      Name: field.name,
      CanSet: isCollection ? field.canAdd : field.isSettable || field.name === 'Id',
      CanGet: field.kind !== 'scalar' || !field.isWriteOnly,
      IsDeprecated: field.isDeprecated,
      IsRequired: !isCollection && field.isRequired && field.isSettable,
      Type: type.name,
      IsTypeComplex: field.kind !== 'scalar',
      IsSynthetic: !isCollection && field.isSynthetic,
      Description: field.description,
      Uri: uri(type.collection),
      ...(isCollection ? { CanAdd: field.canAdd, CanRemove: field.canRemove } : {}),
      IsBoundToParent: false,
    };
  };

function typeOf(field: Field): { name: string; collection: string } {
  if (field.kind !== 'scalar') return { name: field.target.name, collection: field.target.collection };
  const name = field.choiceName ?? scalars[field.scalar].metaName;
  return { name, collection: name };
}

/** Custom fields are no collection of a resource, yet clients expect to find them among the collections. */
const customFields = (uri: (collection: string) => string, isWritten: boolean): FieldDescription => ({
  Name: 'CustomFields',
  CanSet: isWritten,
  CanGet: true,
  IsDeprecated: false,
  IsRequired: false,
  Type: 'CustomFields',
  IsTypeComplex: true,
  IsSynthetic: false,
  Description: '',
  Uri: uri('CustomFields'),
  CanAdd: isWritten,
  CanRemove: isWritten,
  IsBoundToParent: false,
});

function remarks(resource: ResourceType): string {
  const [first] = resource.settings.order;
  const field = first && resource.ofProperty(first.property)?.name;
  const direction = first?.descending ? 'descending' : 'ascending';
  return `Result of GET request is ordered by ${field ?? 'Id'} field with ${direction} direction.`;
}

export const listed = (model: Model): ResourceType[] =>
  model.resources.filter((resource) => resource.settings.isListed);
