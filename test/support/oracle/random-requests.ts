/** Random requests of version 1 over the whole model. */
import type { CollectionField, Field, ReferenceField, ResourceType } from '../../../src/model/model.js';
import { chance, type Dice, pick } from '../dice.js';
import { type Condition, holds } from './conditions.js';
import { definitionsOf } from './custom-values.js';
import { RandomConditions, scalarsOf } from './random-conditions.js';
import type { Aggregate, Included, OracleRequest, OrderTerm, Page, Route, Selection } from './requests.js';
import { isOfKind, namedFields, type World } from './world.js';

export class RandomRequests {
  private readonly conditions: RandomConditions;

  /** The world is that of an administrator. */
  constructor(
    private readonly dice: Dice,
    private readonly world: World,
  ) {
    this.conditions = new RandomConditions(dice, world);
  }

  request(caller: World): OracleRequest {
    const { dice } = this;
    const { resource, route } = this.place();
    const isList = route.kind !== 'one';
    return {
      resource,
      route,
      where: isList && chance(dice, 85) ? this.telling(resource, caller) : undefined,
      order: isList && chance(dice, 40) ? this.order(resource) : [],
      selection: this.selection(resource),
      page: isList ? this.page(100) : { take: 25, skip: 0 },
      inner: this.page(3),
      style: dice(1_000_000),
    };
  }

  /** The same request with other words in its filter. */
  reworded({ where, ...request }: OracleRequest): OracleRequest {
    return { ...request, where: where && this.conditions.reworded(where, request.resource) };
  }

  /** A condition that holds for some of what the caller sees and not for all, if one is made soon. */
  private telling(resource: ResourceType, caller: World): Condition {
    const things = caller.things(resource).slice(0, 150);
    for (let tries = 5; ; tries--) {
      const condition = this.conditions.condition(resource);
      const count = things.filter((thing) => holds(condition, thing)).length;
      if (tries === 0 || things.length === 0 || (count > 0 && count < things.length)) return condition;
    }
  }

  private place(): { resource: ResourceType; route: Route } {
    const { dice } = this;
    const resource = this.resource();
    if (chance(dice, 65)) return { resource, route: { kind: 'list' } };
    const id = this.someId(resource);
    if (chance(dice, 40)) return { resource, route: { kind: 'one', id } };
    const collections = collectionsOf(resource);
    if (collections.length === 0) return { resource, route: { kind: 'list' } };
    const field = pick(dice, collections);
    return { resource: field.target, route: { kind: 'inner', owner: resource, id, field } };
  }

  /** Kinds of work are asked for more often than histories and configuration. */
  private resource(): ResourceType {
    const { dice, world } = this;
    const kinds = world.model.resources.filter(({ name }) => name !== 'GlobalSettings');
    const work = kinds.filter(({ root }) => root.name === 'General');
    const past = kinds.filter(({ root }) => /History$/.test(root.name));
    const other = kinds.filter((kind) => !work.includes(kind) && !past.includes(kind));
    return pick(dice, pick(dice, [work, work, work, work, other, other, other, past]));
  }

  private someId(resource: ResourceType): number {
    const rows = this.world.dump.rows(resource.table).filter((row) => isOfKind(resource, row));
    return rows.length === 0 || chance(this.dice, 3) ? 99_999_999 : pick(this.dice, rows).id;
  }

  private page(most: number): Page {
    const { dice } = this;
    return {
      take: pick(dice, [most, most, 25, 25, 5, 1, 0, 1000]),
      skip: chance(dice, 70) ? 0 : dice(most === 100 ? 30 : 4),
    };
  }

  private order(resource: ResourceType): OrderTerm[] {
    return Array.from({ length: 1 + this.dice(2) }, () => {
      const path: ReferenceField[] = [];
      let end = resource;
      for (let steps = pick(this.dice, [0, 0, 1, 1, 2]); steps > 0; steps--) {
        const references = referencesOf(end);
        if (references.length === 0) break;
        path.push(pick(this.dice, references));
        end = path.at(-1)!.target;
      }
      const isNamed = path.length > 0 && chance(this.dice, 25);
      return { path, operand: isNamed ? undefined : this.conditions.operand(end), descending: chance(this.dice, 50) };
    });
  }

  private selection(resource: ResourceType): Selection {
    const { dice } = this;
    const append = chance(dice, 35) ? this.aggregates(resource) : [];
    switch (dice(4)) {
      case 0:
        return { exclude: [], append };
      case 1: {
        const shown = resource.fields.filter((field) => field.kind !== 'collection' && field.name !== 'Id');
        const exclude = shown.filter((field) => chance(dice, 20) && !(field.kind === 'scalar' && field.isWriteOnly));
        return { exclude: exclude as Selection['exclude'], append };
      }
      default:
        return { include: this.include(resource), exclude: [], append };
    }
  }

  /** Within the limits of a request. */
  private include(resource: ResourceType): Included {
    const include = this.included(resource, { depth: 2, isItem: false });
    return countOf(include) > 150 ? this.include(resource) : include;
  }

  /** Collections stand in no other collection, custom fields in nothing else. */
  private included(resource: ResourceType, { depth, isItem }: { depth: number; isItem: boolean }): Included {
    const { dice } = this;
    const fields: { field: Field; inner?: Included }[] = [];
    for (const field of scalarsOf(resource)) if (chance(dice, 25)) fields.push({ field });
    for (const field of referencesOf(resource))
      if (chance(dice, 25)) fields.push(this.nested(field, { depth, isItem }));
    for (const field of isItem ? [] : collectionsOf(resource))
      if (chance(dice, 15)) fields.push(this.nested(field, { depth, isItem: true }));
    const isWhole = depth === 2 && resource.settings.customFields !== undefined;
    return {
      fields: fields.toSorted(() => dice(3) - 1),
      aggregates: chance(dice, 20) ? this.aggregates(resource) : [],
      customFields: isWhole && chance(dice, 40) && definitionsOf(resource, this.world.dump).length > 0,
    };
  }

  private nested(field: ReferenceField | CollectionField, place: { depth: number; isItem: boolean }) {
    if (place.depth === 0 || chance(this.dice, 50)) return { field };
    return { field, inner: this.included(field.target, { ...place, depth: place.depth - 1 }) };
  }

  /** Of collections that all kinds have, and of those of some kinds that have the same items. */
  private aggregates(resource: ResourceType): Aggregate[] {
    const ofKinds = resource.allKindFields.filter(({ name }) => isOfOneTarget(resource, name));
    const collections = [...resource.fields, ...ofKinds].filter((field) => field.kind === 'collection');
    if (collections.length === 0) return [];
    const some = Array.from({ length: 1 + this.dice(3) }, (): Aggregate => {
      const collection = pick(this.dice, collections);
      const scalars = scalarsOf(collection.target).filter((field) => collection.target.fields.includes(field));
      const numbers = scalars.filter(({ scalar }) => numeric.has(scalar));
      const fields = scalars.filter(({ scalar }) => numeric.has(scalar) || scalar === 'moment');
      switch (this.dice(numbers.length > 0 ? 4 : 1)) {
        case 0:
          return { collection, function: 'Count' };
        case 1:
          return { collection, function: pick(this.dice, ['Sum', 'Avg']), field: pick(this.dice, numbers) };
        default:
          return { collection, function: pick(this.dice, ['Min', 'Max']), field: pick(this.dice, fields) };
      }
    });
    return some;
  }
}

const isOfOneTarget = (resource: ResourceType, name: string): boolean =>
  new Set(resource.kindFields(name).map(({ field }) => field.kind !== 'scalar' && field.target)).size === 1;

const countOf = ({ fields, aggregates }: Included): number =>
  fields.reduce((sum, { inner }) => sum + 1 + (inner ? countOf(inner) : 0), aggregates.length);

const numeric = new Set(['id', 'integer', 'long', 'decimal', 'double']);

const referencesOf = (resource: ResourceType): ReferenceField[] =>
  namedFields(resource).filter((field): field is ReferenceField => field.kind === 'reference');

const collectionsOf = (resource: ResourceType): CollectionField[] =>
  namedFields(resource).filter((field): field is CollectionField => field.kind === 'collection');
