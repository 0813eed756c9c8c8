/** What the service says of its resources, asked for when it is needed and kept. */

/**
 * @typedef {'value' | 'reference' | 'collection'} FieldKind
 * @typedef {{ name: string, kind: FieldKind, type: string, collection: string, description: string, isDeprecated:
 * boolean }} Field `collection` is where the entities that a reference or collection leads to are found.
 * @typedef {{ name: string, collection: string, fields: Field[], hasCustomFields: boolean }} Resource
 * @typedef {{ name: string, collection: string, description: string }} Entry
 */

/** Of the address of a description, `https://host/api/v1/Bugs/meta`. @param {string} uri */
const collectionIn = (uri) => /\/([^/]+)\/meta$/.exec(uri)?.[1] ?? '';

export class Metadata {
  /** @type {Promise<Entry[]> | undefined} */
  #index;
  /** @type {Map<string, Promise<Resource | undefined>>} */
  #resources = new Map();
  /** @type {Map<string, Promise<Field[]>>} */
  #customFields = new Map();

  /** `read` gives the parsed answer to a query in JSON. @param {(query: string) => Promise<any>} read */
  constructor(read) {
    this.read = read;
  }

  /** All collections, in the order of their names. @returns {Promise<Entry[]>} */
  index() {
    this.#index ??= this.read('Index/meta?format=json').then(entriesOf);
    // What failed once is asked for again.
    this.#index.catch(() => {
      this.#index = undefined;
    });
    return this.#index;
  }

  /**
   * A resource by its collection in any letter case, or by its own name. @param {string} input @returns
   * {Promise<Resource | undefined>}
   */
  async resource(input) {
    const name = input.toLowerCase();
    const entry = (await this.index()).find(
      (one) =>
        one.collection.toLowerCase() === name ||
        one.name.toLowerCase() === name ||
        `${one.name.toLowerCase()}s` === name,
    );
    if (!entry) return undefined;
    const cached = this.#resources.get(entry.collection);
    if (cached) return cached;
    const asked = this.read(`${entry.collection}/meta?format=json`).then((answer) => resourceOf(answer));
    this.#resources.set(entry.collection, asked);
    asked.catch(() => this.#resources.delete(entry.collection));
    return asked;
  }

  /** What the items at `UserStories` or `UserStories/12/Tasks` are. @param {string} path */
  async resourceAt(path) {
    const [collection = '', , inner] = path.split('/');
    const resource = await this.resource(collection);
    if (!resource || inner === undefined) return resource;
    const field = fieldNamed(resource.fields, inner);
    return field?.kind === 'collection' ? this.resource(field.collection) : undefined;
  }

  /**
   * The fields that may follow a path of names.
   * @param {Resource} resource
   * @param {readonly string[]} names
   * @returns {Promise<Field[]>}
   */
  async fieldsAt(resource, names) {
    const [name, ...rest] = names;
    if (name === undefined) return [...resource.fields, ...(resource.hasCustomFields ? [customFields] : [])];
    if (name.toLowerCase() === 'customfields' && resource.hasCustomFields) return this.#custom(resource);
    const field = fieldNamed(resource.fields, name);
    const target = field && field.kind !== 'value' ? await this.resource(field.collection) : undefined;
    return target ? this.fieldsAt(target, rest) : [];
  }

  /** The field that a whole path leads to. @param {Resource} resource @param {string} path */
  async fieldAt(resource, path) {
    const custom = /^(.*\.)?CustomFields\.(.+)$/i.exec(path);
    const names = custom
      ? [...(custom[1] ?? '').split('.').filter(Boolean), 'CustomFields', custom[2] ?? '']
      : path.split('.');
    return fieldNamed(await this.fieldsAt(resource, names.slice(0, -1)), names.at(-1) ?? '');
  }

  /** One field may be defined for several processes. @param {Resource} resource @returns {Promise<Field[]>} */
  #custom({ name }) {
    const cached = this.#customFields.get(name);
    if (cached) return cached;
    const asked = this.read(
      `CustomFields?format=json&take=1000&include=[Name,FieldType]&where=EntityType.Name+eq+'${name}'`,
    ).then(customFieldsOf);
    this.#customFields.set(name, asked);
    asked.catch(() => this.#customFields.delete(name));
    return asked;
  }
}

/** @param {readonly Field[]} fields @param {string} name */
export const fieldNamed = (fields, name) => fields.find((field) => field.name.toLowerCase() === name.toLowerCase());

/** @type {Field} */
const customFields = {
  name: 'CustomFields',
  kind: 'collection',
  type: 'CustomFields',
  collection: 'CustomFields',
  description: 'Fields that an administrator added.',
  isDeprecated: false,
};

/** @param {any} answer @returns {Entry[]} */
const entriesOf = ({ Items }) =>
  Items.map((/** @type {any} */ { Name, Uri, Description }) => ({
    name: Name,
    collection: collectionIn(Uri),
    description: Description,
  })).sort((/** @type {Entry} */ one, /** @type {Entry} */ other) =>
    one.collection.localeCompare(other.collection, 'en'),
  );

/** @param {any} answer @returns {Resource} */
export function resourceOf(answer) {
  const groups = answer.ResourceMetadataPropertiesDescription;
  const fields = [
    ...fieldsOf('value', groups.ResourceMetadataPropertiesResourceValuesDescription),
    ...fieldsOf('reference', groups.ResourceMetadataPropertiesResourceReferencesDescription),
    ...fieldsOf('collection', groups.ResourceMetadataPropertiesResourceCollectionsDescription),
  ];
  return {
    name: answer.Name,
    collection: collectionIn(answer.Uri),
    fields: fields.filter(({ type }) => type !== 'CustomFields'),
    hasCustomFields: fields.some(({ type }) => type === 'CustomFields'),
  };
}

/** @param {FieldKind} kind @param {any} group @returns {Field[]} */
const fieldsOf = (kind, { Items }) =>
  Items.filter((/** @type {any} */ { CanGet }) => CanGet).map((/** @type {any} */ item) => ({
    name: item.Name,
    kind,
    type: item.Type,
    collection: kind === 'value' ? '' : collectionIn(item.Uri),
    description: item.Description,
    isDeprecated: item.IsDeprecated,
  }));

/** How values of custom fields are compared. @type {Record<string, string>} */
const customTypes = { Number: 'Decimal', Money: 'Decimal', CheckBox: 'Boolean', Date: 'DateTime' };

/** @param {any} answer @returns {Field[]} */
function customFieldsOf({ Items }) {
  /** @type {Map<string, Field>} */
  const byName = new Map();
  for (const { Name, FieldType } of Items) {
    byName.set(Name, {
      ...customFields,
      name: Name,
      kind: 'value',
      type: customTypes[FieldType] ?? 'String',
      description: '',
    });
  }
  return [...byName.values()];
}
