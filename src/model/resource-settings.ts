/** What a type declares of itself besides its fields, as `@Resource` says it. */
import type { RowExpression } from '../sql.js';
import type { Visibility } from './visibility.js';

export interface ResourceSettings {
  readonly operations: Operations;
  /** What the metadata say of them. */
  readonly describedOperations: Operations;
  readonly order: readonly DefaultOrder[];
  readonly visible: Visibility;
  /** The column that marks a row as deleted. */
  readonly softDelete?: string;
  /** References to a deleted row stay readable (a deleted user is still the author of a comment). */
  readonly remembered: boolean;
  /** Properties that this very type requires of a client beyond what its fields declare. */
  readonly requires: readonly string[];
  /** Required properties that a rule fills in where a client leaves them out. */
  readonly filled: readonly string[];
  /** Of each list a client sends one at least on create. */
  readonly alternatives: readonly (readonly string[])[];
  /** References that always have a value, though the column does not say so: a change cannot clear them. */
  readonly stays: readonly string[];
  /** References that never become others: a row whose target goes cannot be without it. */
  readonly fixed: readonly string[];
  /** References that together name a row: naming them again changes that row. Empty: only the Id names one. */
  readonly key: readonly string[];
  /** Extra fields of the short form of a reference; `instead` leaves Name out. */
  readonly short: readonly string[];
  readonly shortWithin: ShortWithin;
  /** What an item shows in a collection besides its short form; undefined: where that is empty, all it refers to. */
  readonly item?: readonly string[];
  /** Where the process of a row is found, for types that have custom fields. */
  readonly customFields?: CustomFieldSource;
  /** The type's row in EntityTypes, for types that have one. */
  readonly entityTypeId?: number;
  /** Few rows that hardly change: states, types, priorities. */
  readonly isConfiguration: boolean;
  /** References to a row may say its name in place of its Id. */
  readonly isNameable: boolean;
  /** Only administrators write it. */
  readonly isAdministered: boolean;
  /** It has the columns that all work has: a kind, a project, its last editor. */
  readonly isGeneral: boolean;
  readonly lies: Placement;
  /** The reference to whose span of time it is; those of one follow one another. */
  readonly spanOf?: string;
  /** The columns of what rules need to know of entities that a request refers to. */
  readonly facts: FactColumns;
  readonly writers: Writers;
  /**
   * An order from the bottom of the hierarchy to its top, in which rows are locked, as the totals of the database lock
   * them.
   */
  readonly level: number;
  /**
   * Several writes of the type, or of those derived from it, may be carried out as one: rules look at nothing but what
   * is written.
   */
  readonly sharesTransactions: boolean;
  /** The table is a view, whose rows have no versions of their own. */
  readonly isView: boolean;
  /** The entity whose fields it has besides its own. */
  readonly like?: object;
  /** The column that tells rows apart. */
  readonly rowKey: string;
  /** How properties are read whose columns do not hold the whole value. */
  readonly readAs: Readonly<Record<string, RowExpression>>;
  readonly isListed: boolean;
  /** Changes of its rows are recorded. */
  readonly isRecorded: boolean;
  /** What records call it, where that is not its name. */
  readonly recordedAs?: string;
  /** The reference to who has written a row, where no service has said who writes. */
  readonly author?: string;
  /** A text that only the answer to its creation has besides its fields, with what that is. */
  readonly answeredOnCreate?: Readonly<{ name: string; description: string }>;
  readonly description: string;
}

/**
 * In a project, as one, or above all projects: what does not lie in one is edited by administrators alone. What stands
 * above projects and may lie in one, too, is known to everyone while it lies in none.
 */
export type Placement = 'inProject' | 'asProject' | 'aboveProjects' | 'inOrAboveProjects';

/**
 * What rules need to know of an entity: the entity type of a General, the process of its project or its own, and so on.
 */
export const factTypes = {
  kind: 'int',
  name: 'text',
  project: 'bigint',
  process: 'bigint',
  release: 'bigint',
  iteration: 'bigint',
  teamIteration: 'bigint',
  userStory: 'bigint',
  feature: 'bigint',
  testPlan: 'bigint',
  role: 'bigint',
  active: 'boolean',
  person: 'text',
} as const;

export type FactName = keyof typeof factTypes;
/** The process is worked out from where an entity lies. */
export type FactColumns = Readonly<Partial<Record<Exclude<FactName, 'process'>, string>>>;

/**
 * Who may write what hangs on work: members of the projects of all that it refers to, or of one of them; whoever sees
 * these, observers among them where it is a remark; whoever sees these, for himself. Rules of the kind may say more.
 */
export type Writers = 'members' | 'membersOfOne' | 'readers' | 'observers' | 'oneself';

/** References in the short form, by the type that holds it: with their Id alone, or in their own short form. */
export type ShortWithin = Readonly<Record<string, Readonly<Record<string, 'id' | 'short'>>>>;

/** Custom fields belong to a process and an entity type: the process of the item's project, the row's own, or none. */
export type CustomFieldSource = 'project' | 'own' | 'global';

export interface Operations {
  readonly create: boolean;
  readonly update: boolean;
  readonly delete: boolean;
}

export interface DefaultOrder {
  readonly property: string;
  readonly descending: boolean;
}
