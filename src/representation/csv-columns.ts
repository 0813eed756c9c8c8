/**
 * The columns of items that say nothing of what is null: those that are known, then what else any of them has, in the
 * order of appearance.
 */
import { isObject, type Json, type JsonObject, SpelledList } from './spelled-json.js';

export type Column =
  | { readonly kind: 'value'; readonly path: readonly string[] }
  /** A custom field by its name, in the list that the path leads to. */
  | { readonly kind: 'custom'; readonly path: readonly string[]; readonly name: string }
  /** A collection: its items, one on each line of the cell. */
  | { readonly kind: 'items'; readonly path: readonly string[] };

/** What items may show, as far as that is known before there are any. */
export type Specimen =
  | { readonly kind: 'value' | 'list' }
  /** A list of custom fields, of these names at least. */
  | { readonly kind: 'fields'; readonly names: readonly string[] }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Specimen> };

/** What stands at one path in any of the items. */
interface ColumnNode {
  readonly path: readonly string[];
  readonly owner?: ColumnNode;
  readonly members: Map<string, ColumnNode>;
  /** Names of custom fields in lower case, where the service lists them. What a client calls so has its own members. */
  customNames?: Set<string>;
  /** Something other than an object is there. */
  hasValue: boolean;
  /** And all of it is lists. */
  hasLists: boolean;
}

const placeAt = (path: readonly string[], owner?: ColumnNode): ColumnNode => ({
  path,
  ...(owner && { owner }),
  members: new Map(),
  hasValue: false,
  hasLists: true,
});

export class ColumnsOfItems {
  private readonly root = placeAt([]);
  private readonly inOrder: { place: ColumnNode; name?: string }[] = [];

  constructor(specimen?: Specimen) {
    if (specimen) this.expect(specimen, this.root);
  }

  private expect(specimen: Specimen, place: ColumnNode): void {
    switch (specimen.kind) {
      case 'value':
        this.addValue('', place);
        break;
      case 'list':
        this.addValue(new SpelledList(''), place);
        break;
      case 'fields':
        place.customNames = new Set();
        this.addNames(specimen.names, place, place.customNames);
        break;
      case 'object':
        for (const [name, one] of specimen.members) this.expect(one, this.memberOf(place, name));
    }
  }

  add(item: Json, place = this.root): void {
    if (!isObject(item)) this.addValue(item, place);
    else this.addMembers(item, place);
  }

  private addMembers(item: JsonObject, place: ColumnNode): void {
    for (const name in item) {
      const value = item[name];
      const member = place.members.get(name) ?? this.memberOf(place, name);
      if (member.customNames) this.addNames(namesOf(value), member, member.customNames);
      else this.add(value, member);
    }
  }

  columns(): Column[] {
    return this.inOrder.map(({ place, name }): Column => {
      if (name !== undefined) return { kind: 'custom', path: place.path, name };
      return isCollection(place) ? { kind: 'items', path: place.owner!.path } : { kind: 'value', path: place.path };
    });
  }

  private memberOf(place: ColumnNode, name: string): ColumnNode {
    const member = placeAt([...place.path, name], place);
    place.members.set(name, member);
    return member;
  }

  private addValue(value: Json, place: ColumnNode): void {
    if (value === null && place.owner) return;
    place.hasLists &&= value instanceof SpelledList;
    if (place.hasValue) return;
    place.hasValue = true;
    this.inOrder.push({ place });
  }

  private addNames(names: readonly string[], place: ColumnNode, listed: Set<string>): void {
    for (const name of names) {
      const key = name.toLowerCase();
      if (listed.has(key)) continue;
      listed.add(key);
      this.inOrder.push({ place, name });
    }
  }
}

/** A list of items as they are: there is nothing beside them. */
const isCollection = ({ path, owner, hasLists }: ColumnNode): boolean =>
  hasLists && path.length > 1 && path.at(-1) === 'items' && owner!.members.size === 1 && !owner!.hasValue;

const namesOf = (fields: Json): string[] =>
  fields instanceof SpelledList
    ? [...fields].flatMap((one) => (isObject(one) && typeof one.name === 'string' ? one.name : []))
    : [];
