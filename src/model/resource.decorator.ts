/** `@Resource` declares that an entity is served, under which collection, in which order and to whom. */
import type { RowExpression } from '../sql.js';
import { declareResource } from './declarations.js';
import type {
  CustomFieldSource,
  DefaultOrder,
  FactColumns,
  Placement,
  ResourceSettings,
  ShortWithin,
  Writers,
} from './resource-settings.js';
import { everyone, type Visibility } from './visibility.js';

type OperationLetters = '' | 'C' | 'U' | 'D' | 'UD' | 'CU' | 'CD' | 'CUD';

export interface ResourceOptions {
  collection: string;
  /** Which of create, update and delete the API offers: any of the letters C, U, D. */
  operations?: OperationLetters;
  /** The same, where clients know metadata that say something else than what is offered. */
  describedOperations?: OperationLetters;
  /** Default order of lists; Id is always the last criterion. */
  order?: DefaultOrder;
  visible?: Visibility;
  /** References to deleted rows stay readable. */
  remembered?: boolean;
  /** Properties that a client must send on create although the base type does not ask for them. */
  requires?: readonly string[];
  /** Required properties that a rule fills in where a client leaves them out. */
  filled?: readonly string[];
  /** Of each list a client sends one at least on create; metadata know no such thing. */
  alternatives?: readonly (readonly string[])[];
  /** References that always have a value, though the column does not say so: a change cannot clear them. */
  stays?: readonly string[];
  /** References that its rules let nobody change. */
  fixed?: readonly string[];
  /** References that together name a row, such as project and user of a member. */
  key?: readonly string[];
  /** Extra fields in the short form of a reference. */
  short?: readonly string[];
  /** References in the short form, by the type that holds it: with their Id alone, or in their own short form. */
  shortWithin?: ShortWithin;
  /** What an item without a name shows in a collection. */
  item?: readonly string[];
  customFields?: CustomFieldSource;
  entityTypeId?: number;
  isConfiguration?: boolean;
  /** References to a row may say its name in place of its Id. */
  isNameable?: boolean;
  /** Only administrators write it. */
  isAdministered?: boolean;
  /** It has the columns that all work has. */
  isGeneral?: boolean;
  lies?: Placement;
  /** The reference to whose span of time it is; those of one follow one another. */
  spanOf?: string;
  /** The columns of what rules need to know of entities that a request refers to. */
  facts?: FactColumns;
  writers?: Writers;
  /** Its place from the bottom of the hierarchy to the top: tasks 0, projects 7, all that lies in none of these 8. */
  level?: number;
  /** Its rules look at nothing but what is written, so that several writes may be carried out as one. */
  sharesTransactions?: boolean;
  /** Its table is a view of other tables. */
  isView?: boolean;
  /** It has the fields of this resource, to be read, before its own. */
  like?: object;
  /** The column of a view that tells apart rows with the same Id. */
  rowKey?: string;
  /** How properties are read whose columns do not hold the whole value. */
  readAs?: Readonly<Record<string, RowExpression>>;
  /** False keeps a type out of the metadata index. */
  isListed?: boolean;
  /** False: changes of its rows are not recorded. */
  isRecorded?: boolean;
  /** What records call it, where that is not its name. */
  recordedAs?: string;
  /** The reference to who has written a row, where no service has said who writes. */
  author?: string;
  /** A text that only the answer to its creation has besides its fields. */
  answeredOnCreate?: ResourceSettings['answeredOnCreate'];
  description?: string;
}

export const ascending = (property: string): DefaultOrder => ({ property, descending: false });
export const descending = (property: string): DefaultOrder => ({ property, descending: true });

export function Resource(options: ResourceOptions): ClassDecorator {
  return (owner) =>
    declareResource(owner, {
      name: owner.name,
      collection: options.collection,
      stated: new Set(Object.keys(options)),
      settings: {
        operations: operations(options.operations ?? ''),
        describedOperations: operations(options.describedOperations ?? options.operations ?? ''),
        order: options.order ? [options.order] : [],
        visible: options.visible ?? everyone,
        remembered: options.remembered ?? false,
        requires: options.requires ?? [],
        filled: options.filled ?? [],
        alternatives: options.alternatives ?? [],
        stays: options.stays ?? [],
        fixed: options.fixed ?? [],
        key: options.key ?? [],
        short: options.short ?? [],
        shortWithin: options.shortWithin ?? {},
        item: options.item,
        customFields: options.customFields,
        entityTypeId: options.entityTypeId,
        isConfiguration: options.isConfiguration ?? false,
        isNameable: options.isNameable ?? false,
        isAdministered: options.isAdministered ?? false,
        isGeneral: options.isGeneral ?? false,
        lies: options.lies ?? 'inProject',
        spanOf: options.spanOf,
        facts: options.facts ?? {},
        writers: options.writers ?? 'members',
        level: options.level ?? 8,
        sharesTransactions: options.sharesTransactions ?? false,
        isView: options.isView ?? false,
        like: options.like,
        rowKey: options.rowKey ?? 'id',
        readAs: options.readAs ?? {},
        isListed: options.isListed ?? true,
        isRecorded: options.isRecorded ?? true,
        recordedAs: options.recordedAs,
        author: options.author,
        answeredOnCreate: options.answeredOnCreate,
        description: options.description ?? '',
      },
    });
}

const operations = (letters: string) => ({
  create: letters.includes('C'),
  update: letters.includes('U'),
  delete: letters.includes('D'),
});
