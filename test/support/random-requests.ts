/**
 * Random requests of both versions over the whole model: well and ill typed, through references and collections, with
 * values that exist, that are hidden and that never were. Nobody knows their answers; they are for comparing answers
 * with one another.
 */
import type { CollectionField, ReferenceField, ResourceType, ScalarField } from '../../src/model/model.js';
import { model } from './builder.js';
import type { diceOf } from './dice.js';
import { type Worth, worthOf } from './random-values.js';

type Dice = ReturnType<typeof diceOf>;

export interface Pool {
  /** Ids that conditions, routes and references name. */
  ids: readonly number[];
  /** Texts, and beginnings of texts. */
  texts: readonly string[];
}

const scalarsOf = ({ fields }: ResourceType) =>
  fields.filter((field): field is ScalarField => field.kind === 'scalar' && !field.isWriteOnly);
const referencesOf = ({ fields }: ResourceType) =>
  fields.filter((field): field is ReferenceField => field.kind === 'reference');
const collectionsOf = ({ fields }: ResourceType) =>
  fields.filter((field): field is CollectionField => field.kind === 'collection');

/** Chosen where a path shall lead to one of these, or ask anything of it. */
const readable = model.resources.filter(({ name }) => name !== 'GlobalSettings');
const popular = ['UserStory', 'Bug', 'Task', 'Feature', 'General', 'Assignable', 'Comment', 'Time', 'Project', 'User'];

export class RandomRequests {
  constructor(
    private readonly dice: Dice,
    private readonly pool: Pool,
  ) {}

  private pick = <T>(items: readonly T[]): T => items[this.dice(items.length)]!;
  private chance = (sides: number): boolean => this.dice(sides) === 0;

  /** The path and query of a request that reads, of the version or of either. */
  next(version?: 1 | 2): string {
    if (version !== 2 && this.chance(12)) return this.search();
    const resource = this.chance(3) ? this.pick(readable) : model.resource(this.pick(popular));
    return version === 1 || (version === undefined && this.chance(2))
      ? this.version1(resource)
      : this.version2(resource);
  }

  // --- version 1 -----------------------------------------------------------------------------------------------------

  private version1(resource: ResourceType): string {
    const base = `/api/v1/${resource.collection}`;
    const format = this.pick(['json', 'xml', 'csv']);
    const id = this.pick(this.pool.ids);
    const collections = collectionsOf(resource);
    switch (this.dice(8)) {
      case 0:
        return `${base}/${id}?${new URLSearchParams({ format, ...this.selection(resource) })}`;
      case 1:
        if (collections.length > 0) return this.innerRoute(`${base}/${id}`, this.pick(collections), format);
    }
    return `${base}?${new URLSearchParams({ format, ...this.rows(resource), ...this.selection(resource) })}`;
  }

  private search(): string {
    const term = (_: unknown, at: number): string => {
      const text = this.chance(4) ? `${this.pick(this.pool.ids)}` : this.pick(this.pool.texts);
      return `${at > 0 && this.chance(3) ? '-' : ''}${this.pick([text, `${text}*`, `"${text}"`])}`;
    };
    const q = Array.from({ length: 1 + this.dice(3) }, term).join(' ');
    const general = model.resource('General');
    const narrowed: Record<string, string> = this.pick<() => Record<string, string>>([
      () => ({}),
      () => ({ types: 'Bug,UserStory' }),
      () => ({ project: `${this.pick(this.pool.ids)},${this.pick(this.pool.ids)}` }),
      () => ({ where: this.filter(general, 1) }),
    ])();
    const shown = this.chance(2) ? { take: '50' } : { take: '2', ...this.selection(general) };
    return `/api/v1/Search?${new URLSearchParams({ q, format: this.pick(['json', 'xml']), ...narrowed, ...shown })}`;
  }

  private innerRoute(base: string, { name, target }: CollectionField, format: string): string {
    return `${base}/${name}?${new URLSearchParams({ format, ...this.rows(target) })}`;
  }

  private rows(resource: ResourceType): Record<string, string> {
    return {
      ...(this.chance(4) ? {} : { where: this.filter(resource, 2) }),
      ...(this.chance(3) && { [this.pick(['orderBy', 'orderByDesc'])]: this.path(resource, false).text }),
      take: String(this.pick([1, 3, 25, 1000])),
      ...(this.chance(4) && { skip: String(this.dice(4)) }),
    };
  }

  private selection(resource: ResourceType): Record<string, string> {
    const append = collectionsOf(resource).map(({ name }) => `${name}-Count`);
    return {
      ...(this.chance(2) && { include: this.list(resource, 2) }),
      ...(append.length > 0 && this.chance(3) && { append: `[${this.pick(append)}]` }),
      ...(this.chance(5) && { innerTake: String(1 + this.dice(3)) }),
    };
  }

  private list(resource: ResourceType, depth: number): string {
    const items = Array.from({ length: 1 + this.dice(5) }, () => {
      const field = this.pick(resource.fields.filter((one) => one.kind !== 'scalar' || !one.isWriteOnly));
      return field.kind === 'scalar' || depth === 0 || this.chance(2)
        ? field.name
        : field.name + this.list(field.target, field.kind === 'collection' ? 0 : depth - 1);
    });
    return `[${[...new Set(items)]}]`;
  }

  private filter(resource: ResourceType, depth: number): string {
    switch (this.dice(depth === 0 ? 1 : 5)) {
      case 1:
        return `(${this.filter(resource, depth - 1)}) and (${this.filter(resource, depth - 1)})`;
      case 2:
        return `(${this.filter(resource, depth - 1)}) or (${this.filter(resource, depth - 1)})`;
      case 3:
        return `not (${this.filter(resource, depth - 1)})`;
      default:
        return this.test(resource);
    }
  }

  private test(resource: ResourceType): string {
    const { text, kind } = this.path(resource, true);
    if (kind === undefined) return `${text} ${this.pick(['is null', 'is not null'])}`;
    const value = (): string => this.literal(kind);
    switch (this.dice(6)) {
      case 0:
        return `${text} ${this.pick(['is null', 'is not null'])}`;
      case 1:
        return `${text} ${this.pick(['in', 'not in'])} (${[value(), value(), value()]})`;
      case 2:
        if (kind === 'text') return `${text} ${this.pick(['contains', 'not contains'])} ${value()}`;
    }
    return `${text} ${this.pick(['eq', 'ne', 'gt', 'gte', 'lt', 'lte'])} ${value()}`;
  }

  private path(resource: ResourceType, throughCollections: boolean): { text: string; kind?: Worth } {
    const names: string[] = [];
    let current = resource;
    for (let step = this.dice(4); step > 0; step--) {
      const next = this.pick([...referencesOf(current), ...(throughCollections ? collectionsOf(current) : [])]);
      if (!next) break;
      names.push(next.name);
      current = next.target;
    }
    if (names.length > 0 && this.chance(6)) return { text: names.join('.') };
    const field = this.chance(2) ? current.field('Id') : this.pick(scalarsOf(current));
    if (field?.kind !== 'scalar') return { text: [...names, 'Id'].join('.'), kind: 'number' };
    return { text: [...names, field.name].join('.'), kind: worthOf[field.scalar] };
  }

  private literal(kind: Worth): string {
    if (this.chance(20)) return this.literal(this.pick(['number', 'text', 'flag', 'moment']));
    switch (kind) {
      case 'number':
        return String(this.chance(3) ? this.dice(100) : this.pick(this.pool.ids));
      case 'text':
        return `'${this.pick(this.pool.texts)}'`;
      case 'flag':
        return this.pick(["'true'", "'false'"]);
      case 'moment':
        return this.pick(["'2026-01-31'", "'2040-05-01'", "'Today'", "'1985-01-02T03:00:00'"]);
    }
  }

  // --- version 2 -----------------------------------------------------------------------------------------------------

  private version2(resource: ResourceType): string {
    const any = (): string => this.expression(this.pick(['number', 'text', 'flag', 'moment']), resource, 3);
    const where: Record<string, string> = this.chance(4) ? {} : { where: this.expression('flag', resource, 4) };
    const number = (): string => this.expression('number', resource, 3);
    const shown: Record<string, string> = this.pick([
      () => ({ select: `{id,a:${any()},b:${any()}}` }),
      () => ({ select: this.object(any) }),
      () => ({ select: `{id,a:${this.listOfObjects(resource)}}` }),
      () => ({ select: 'id', orderBy: this.several(any).join() }),
      () => ({ result: `{n:count,a:sum(${number()}),b:max(${any()})}` }),
      () => ({ result: this.object(() => `max(${any()})`) }),
      () => ({ groupBy: `a:${any()}` }),
      () => ({ groupBy: this.object(any), result: this.object(() => `sum(${number()})`) }),
      () => ({}),
    ])();
    return `/api/v2/${resource.name}?${new URLSearchParams({ ...where, ...shown, ...(!shown.result && { take: this.pick(['2', '1000']) }) })}`;
  }

  /** From none to three. */
  private several<T>(one: () => T): T[] {
    return Array.from({ length: this.dice(4) }, one);
  }

  private object(value: () => string): string {
    const members = this.several(value).map((text, at) => `m${at}:${text}`);
    return this.chance(4) ? `new(${members})` : `{${members}}`;
  }

  private listOfObjects(resource: ResourceType): string {
    const collection = this.pick(collectionsOf(resource));
    if (!collection) return this.object(() => '1');
    const object = this.object(() => this.expression('number', collection.target, 1));
    return `${collection.name}.select(${object})${this.pick(['', '.distinct()', '.distinct().count()', '.first()'])}`;
  }

  /** Of the kind that is asked for, but for one in thirty. */
  private expression(wanted: Worth, resource: ResourceType, depth: number): string {
    const kind: Worth = this.chance(30) ? this.pick(['number', 'text', 'flag', 'moment']) : wanted;
    if (depth <= 0) return this.chance(3) ? this.value(kind) : this.member(kind, resource);
    const part = (of: Worth, on = resource): string => this.expression(of, on, depth - 1);
    const collections = collectionsOf(resource);
    if (collections.length > 0 && this.chance(4)) return this.reduced(kind, this.pick(collections), depth);
    return this.pick(forms[kind])(part, (words) => this.pick(words));
  }

  private reduced(kind: Worth, { name, target }: CollectionField, depth: number): string {
    const part = (of: Worth): string => this.expression(of, target, depth - 2);
    const field = name.charAt(0).toLowerCase() + name.slice(1);
    const number = this.pick([
      () => `${field}.count(${part('flag')})`,
      () => `${field}.where(${part('flag')}).sum(${part('number')})`,
      () => `${field}.orderBy(${part('text')}).first().id`,
      () => `${field}.select(${part('number')}).distinct().take(3).max()`,
    ]);
    if (kind === 'flag') return `${field}.${this.pick(['any', 'all'])}(${part('flag')})`;
    if (kind === 'number') return number();
    return `${field}.max(${part(kind)})`;
  }

  private member(kind: Worth, resource: ResourceType): string {
    const steps: string[] = [];
    let current = resource;
    for (let step = this.dice(3); step > 0; step--) {
      const next = this.pick(referencesOf(current));
      if (!next) break;
      steps.push(next.name);
      current = next.target;
    }
    const fitting = scalarsOf(current).filter(({ scalar }) => worthOf[scalar] === kind);
    if (fitting.length === 0) return this.value(kind);
    return [...steps, this.pick(fitting).name].join('.');
  }

  private value(kind: Worth): string {
    switch (kind) {
      case 'number':
        return this.pick(['0', '1', '2.5', '1e200', String(this.pick(this.pool.ids))]);
      case 'text':
        return `'${this.pick(this.pool.texts)}'`;
      case 'flag':
        return this.pick(['true', 'false']);
      case 'moment':
        return this.pick(['Today', "DateTime.Parse('2026-01-31')", "DateTime.Parse('9999-12-31')"]);
    }
  }
}

type Form = (part: (of: Worth) => string, pick: <T>(words: readonly T[]) => T) => string;

/** Among them those that do not fit every row. */
const forms: Record<Worth, Form[]> = {
  number: [
    (part, pick) => `(${part('number')}${pick(['+', '-', '*', '/'])}${part('number')})`,
    (part) => `Convert.ToInt32(${part('text')})`,
    (part) => `Convert.ToDecimal(${part('text')})`,
    (part) => `SafeConvert.ToInt(${part('text')})`,
    (part) => `Math.Pow(${part('number')},${part('number')})`,
    (part) => `Math.Exp(${part('number')})`,
    (part) => `Math.Sqrt(${part('number')})`,
    (part) => `Math.Round(${part('number')},${part('number')})`,
    (part) => `(${part('moment')}-${part('moment')}).TotalDays`,
    (part) => `(${part('moment')}).Year`,
    (part) => `(${part('text')}).Length`,
    (part) => `IIF(${part('flag')},${part('number')},${part('number')})`,
    (part) => `IFNONE(${part('number')},${part('number')})`,
    (part) => `it.select({a:${part('number')}}).a`,
  ],
  text: [
    (part) => `(${part('text')}+${part('text')})`,
    (part) => `(${part('text')}).Substring(${part('number')},${part('number')})`,
    (part) => `(${part('text')}).Replace('z',${part('text')})`,
    (part, pick) => `Convert.ToString(${part(pick(['number', 'moment', 'flag'] as const))})`,
    (part) => `Guid.Parse(${part('text')})`,
    (part) => `IIF((${part('text')}).StartsWith('zqs'),'x','1')`,
    (part) => `IIF(${part('flag')},${part('text')},${part('text')})`,
    (part) => `IFNONE(it.select({a:${part('text')}}),{}).a`,
  ],
  flag: [
    (part, pick) => `(${part('number')}${pick(['==', '!=', '<', '>='])}${part('number')})`,
    (part, pick) => `(${part('text')}${pick(['==', '!=', '<', '>='])}${part('text')})`,
    (part, pick) => `(${part('moment')}${pick(['==', '!=', '<', '>='])}${part('moment')})`,
    (part, pick) => `(${part('text')}).${pick(['Contains', 'StartsWith', 'EndsWith'])}(${part('text')})`,
    (part, pick) => `(${part('flag')} ${pick(['and', 'or'])} ${part('flag')})`,
    (part) => `not(${part('flag')})`,
    (part, pick) => `(${part(pick(['number', 'text', 'moment'] as const))}==null)`,
    (part) => `Convert.ToBoolean(${part('text')})`,
    (part, pick) => `(${part('number')} in [${pick(['', '1', "'1.5',2"])}])`,
    (part) => `IIF(${part('flag')},{a:${part('flag')}},{}).a`,
  ],
  moment: [
    (part) => `(${part('moment')}).AddDays(${part('number')})`,
    (part) => `(${part('moment')}).AddYears(${part('number')})`,
    (part) => `Convert.ToDateTime(${part('text')})`,
    (part) => `(${part('moment')}-(${part('moment')}-${part('moment')}))`,
    (part) => `IIF(${part('flag')},${part('moment')},${part('moment')})`,
  ],
};
