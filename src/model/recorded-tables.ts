/** What is recorded of the rows of each table, as the triggers of the database do it (a test compares the two). */
import { recordedColumnsOf } from './declarations.js';
import type { CollectionField, Field, Model, ReferenceField, ResourceType } from './model.js';

export interface Recorded {
  columns: readonly string[];
  /** Expressions over the row `r`. */
  resource: string;
  id?: string;
  project?: string;
  /** Where no service has set who writes. */
  author?: string;
  /** Of an update, over the rows `o` and `n`. */
  kind?: string;
}

/** By table: those of resources, and those that only link two rows. */
export function recordedTables(model: Model): ReadonlyMap<string, Recorded> {
  const roots = model.resources.filter((one) => one.root === one && !one.settings.isView && one.settings.isRecorded);
  const links = model.resources.flatMap((owner) =>
    ownLinksOf(owner, model).map(
      ({ target, via: { table, from, to } }) =>
        [table, recordedLink(table, [from, owner], [to, target], model)] as const,
    ),
  );
  return new Map([...roots.map((root) => [root.table, recordedRows(root, model)] as const), ...links]);
}

function recordedRows(root: ResourceType, model: Model): Recorded {
  const { author, recordedAs, softDelete } = root.settings;
  return {
    columns: columnsOf(root),
    resource: recordedName(root, recordedAs),
    project: projectOf(root, model),
    ...(author && { author: `r.${root.referenceOf(author).column}` }),
    ...(softDelete && { kind: deletingBy(softDelete) }),
  };
}

/** The columns of fields of all kinds of the table, its discriminator, and what only the service knows of a row. */
function columnsOf(root: ResourceType): string[] {
  const kinds = [root, ...root.kindsBelow];
  const fields = kinds.flatMap((kind) => [...kind.fields, ...kind.hiddenReferences]).filter(isStored);
  const left = new Set(fields.filter(({ isRecorded }) => !isRecorded).map(({ column }) => column));
  const columns = [
    ...fields.map(({ column }) => column!),
    ...(root.discriminator ? [root.discriminator.column] : []),
    ...recordedColumnsOf(root.entity),
  ];
  return [...new Set(columns)].filter((column) => column !== root.idField.column && !left.has(column));
}

const isStored = (field: Field): field is Exclude<Field, CollectionField> =>
  field.kind !== 'collection' && field.column !== undefined;

function recordedName({ name, discriminator }: ResourceType, recordedAs = name): string {
  if (!discriminator) return `'${recordedAs}'`;
  const { type, column } = discriminator;
  return type === 'text' ? `r.${column}` : `(select t.name from entity_type t where t.id = r.${column})`;
}

const deletingBy = (column: string): string =>
  `case when o.${column} is null and n.${column} is not null then 'delete'
  when o.${column} is not null and n.${column} is null then 'restore' else 'update' end`;

/** Its own project, or else that of the General through which it is visible. */
function projectOf(root: ResourceType, model: Model): string | undefined {
  if (root.isGeneral) return ownProject('r', model);
  if (root.ofProperty('project')) return `r.${root.referenceOf('project').column}`;
  const { visible } = root.settings;
  if (visible.kind !== 'through' && visible.kind !== 'throughEither') return undefined;
  const general = visible.references.map((one) => root.referenceOf(one)).find(({ target }) => liesInProject(target));
  return general && projectThrough(general, model);
}

const liesInProject = ({ isGeneral, settings }: ResourceType): boolean =>
  isGeneral && (settings.lies === 'inProject' || settings.lies === 'asProject');

/** Of a row of Generals: a project lies in itself. */
function ownProject(row: string, { resources }: Model): string {
  const project = resources.find(({ settings: { lies } }) => lies === 'asProject')!;
  const kind = project.discriminator!.column;
  return `case when ${row}.${kind} = ${project.settings.entityTypeId} then ${row}.id else ${row}.project_id end`;
}

const projectThrough = ({ column }: Pick<ReferenceField, 'column'>, model: Model): string =>
  `(select ${ownProject('g', model)} from general g where g.id = r.${column})`;

type Side = readonly [column: string, type: ResourceType];

/** It has the id of what its first column refers to, and comes and goes alone. */
function recordedLink(table: string, from: Side, to: Side, model: Model): Recorded {
  const general = [from, to].find(([, type]) => liesInProject(type));
  return {
    columns: [from[0], to[0]],
    resource: `'${table.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}'`,
    id: `r.${from[0]}`,
    project: general && projectThrough({ column: general[0] }, model),
  };
}

type LinkCollection = CollectionField & { via: Extract<CollectionField['via'], { kind: 'link' }> };

/** Collections of this very type whose links are rows of no resource, and belong to it. */
function ownLinksOf(owner: ResourceType, model: Model): LinkCollection[] {
  const inherited = new Set(owner.bases.flatMap(({ fields }) => fields.map(({ name }) => name)));
  const tables = new Set(model.resources.map(({ table }) => table));
  return owner.fields
    .filter((field): field is LinkCollection => field.kind === 'collection' && field.via.kind === 'link')
    .filter(({ name, isInverse, via }) => !inherited.has(name) && !isInverse && !tables.has(via.table));
}
