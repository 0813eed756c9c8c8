/**
 * Plans and statements of pages. What the items of a page look like depends on the selection alone: it is resolved, scoped and
 * spelled once, and a filter, an order or a page that was never asked for before costs itself only.
 */
import { LRUCache } from 'lru-cache';
import type { ActorShape } from '../actor.js';
import type { ResourceType } from '../model/model.js';
import type { Representation } from '../representation/representation.js';
import { continued, type Sql, type Statement, statement } from '../sql.js';
import { isGlued } from './answer-size.js';
import { isJoined, type LinkTail, pageParts, type SpelledItems, spellItems } from './compile.js';
import { affordable } from './cost.js';
import type { Condition, CustomFieldCatalogue, Plan } from './plan.js';
import type { Query, Selection } from './query.js';
import { resolveItems, resolveRows } from './resolve.js';
import { scopeItems, scopeRows } from './scope.js';
import { valuesMatter } from './values-matter.js';

/** Everything besides the selection that a look depends on; nothing of it is of one actor alone. */
export interface Asking extends LinkTail {
  resource: ResourceType;
  shape: ActorShape;
  format: Representation;
  /** The same for the same `format`, and for no other. */
  formatName: string;
}

interface Look {
  /** Resolved and scoped, but for the rows. */
  items: Plan;
  spelled: { joined?: SpelledItems; lookedUp?: SpelledItems };
  /** First parts of its statements: so many as there are lengths of pages that clients ask for, and orders of two kinds. */
  begun: LRUCache<string, Begun>;
}

interface Begun {
  number: number;
  statement: Statement;
}

export class Looks {
  private kept = emptyLooks();
  private readonly texts = new LRUCache<string, string>({
    max: 1000,
    maxSize: 16 * 2 ** 20,
    sizeCalculation: ({ length }) => length,
  });
  private readonly numbers = new WeakMap<Selection, number>();
  private given = 0;

  /** What was kept may be out of date: definitions of custom fields are part of it. */
  clear(): void {
    this.kept = emptyLooks();
  }

  /** Errors: 400, the same and in the same order as for a query whose selection is new. */
  page(query: Query, asking: Asking, catalogue: CustomFieldCatalogue, extra: readonly Condition[]): Statement {
    const { format, shape } = asking;
    const look = this.lookOf(query, asking, catalogue);
    const resolved = resolveRows(query, look.items, catalogue);
    const plan = scopeRows({ ...resolved, where: [...resolved.where, ...extra] }, shape);
    const which = isJoined(plan) ? 'joined' : 'lookedUp';
    look.spelled[which] ??= spellItems(plan, format, asking, which === 'joined');
    const { kind, head, rest } = pageParts(plan, look.spelled[which]);
    const begun = look.begun.get(`${which} ${kind}`) ?? this.begin(look, `${which} ${kind}`, head());
    const { text, parameters } = continued(rest, begun.statement);
    const isLong = !isGlued(plan.page, look.spelled[which].size);
    return {
      text: this.once(begun, text, plan.page.skip > 0),
      parameters,
      isPlannedEachTime: valuesMatter(plan),
      isLong,
    };
  }

  private begin(look: Look, kind: string, head: Sql): Begun {
    this.given += 1;
    const begun = { number: this.given, statement: statement(head) };
    look.begun.set(kind, begun);
    return begun;
  }

  /** Filters that differ in their values only have one text: it is kept once, however many statements have it, and what it costs is reckoned once. */
  private once({ number, statement }: Begun, rest: string, isContinued: boolean): string {
    const key = `${number} ${rest}`;
    const cached = this.texts.get(key);
    if (cached !== undefined) return cached;
    const { text } = affordable({ text: statement.text + rest, parameters: [] }, isContinued);
    this.texts.set(key, text);
    return text;
  }

  private lookOf(query: Query, { resource, shape, formatName, tail }: Asking, catalogue: CustomFieldCatalogue): Look {
    const { inner } = query;
    const key = `${this.numberOf(query.selection)} ${resource.name} ${shape} ${formatName} ${inner.take} ${inner.skip} ${tail}`;
    const cached = this.kept.get(key);
    if (cached) return cached;
    const look: Look = {
      items: scopeItems(resolveItems(query, resource, catalogue), shape),
      spelled: {},
      begun: new LRUCache({ max: 16 }),
    };
    this.kept.set(key, look);
    return look;
  }

  /** The parsed selection is the same object for the same text, as long as it is kept. */
  private numberOf(selection: Selection): number {
    const cached = this.numbers.get(selection);
    if (cached !== undefined) return cached;
    this.given += 1;
    this.numbers.set(selection, this.given);
    return this.given;
  }
}

/** Clients have a few shapes each. The largest that the limits allow take some 200 KiB. */
const emptyLooks = (): LRUCache<string, Look> => new LRUCache({ max: 150 });
