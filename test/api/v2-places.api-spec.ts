/**
 * What an expression of version 2 is worth does not depend on where it stands: in a condition, in what is shown, in an
 * order, in groups, in sums, or of the items of a collection. `SEED` and `CASES` ask for other expressions, and for
 * more.
 */
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { diceOf, pick } from '../support/dice.js';
import { isTooMuch } from '../support/oracle/differences.js';
import { scatter } from '../support/oracle/scattered-rows.js';
import { zone } from '../support/oracle/zone.js';
import { RandomValues, type Worth } from '../support/random-values.js';

const cases = Number(process.env.CASES ?? 40);
const seed = Number(process.env.SEED ?? 1);

vi.setConfig({ testTimeout: 120_000 + cases * 2000, hookTimeout: 120_000 });

const callers = ['admin', 'alice', 'elena'];

let app: TestApp;
let values: (dice: ReturnType<typeof diceOf>) => RandomValues;
beforeAll(async () => {
  app = await TestApp.start({ TIME_ZONE: zone });
  await scatter(app.database, callers);
  await app.rows('analyze');
  const definitions = await app.rows(
    `select e.name as kind, c.name, min(c.field_type) as type from custom_field c join entity_type e on e.id = c.entity_type_id
     group by e.name, c.name having count(distinct c.field_type) = 1 order by 1, 2`,
  );
  values = (dice) => new RandomValues(dice, definitions);
});
afterAll(() => app.stop());

/** Kinds, each with a collection of all of its items. */
const kinds: [kind: string, owner: string, collection: string][] = [
  ['UserStory', 'Project', 'userStories'],
  ['Bug', 'Project', 'bugs'],
  ['Task', 'Project', 'tasks'],
  ['Feature', 'Project', 'features'],
  ['Time', 'Project', 'times'],
  ['Comment', 'General', 'comments'],
  ['Release', 'Project', 'releases'],
  ['TestCase', 'Project', 'testCases'],
  ['Request', 'Project', 'requests'],
  ['Iteration', 'Project', 'iterations'],
  ['TestStep', 'TestCase', 'testSteps'],
];

type Shown = string | number | boolean | undefined;

interface Item {
  id: number;
  /** Whether the condition holds. */
  b?: number;
  /** What the value is worth; nothing is left out. */
  v?: Shown;
}

/** Of one condition and one value of the items of one kind, as one caller sees them. */
class Case {
  readonly dice;
  readonly as: string;
  readonly kind: string;
  readonly owner: string;
  readonly collection: string;
  readonly worth: Worth;
  readonly condition: string;
  readonly value: string;
  private items: Item[] = [];
  private readonly wrong: string[] = [];

  constructor(at: number) {
    this.dice = diceOf(seed * 1_000_003 + at);
    const random = values(this.dice);
    this.as = pick(this.dice, callers);
    [this.kind, this.owner, this.collection] = pick(this.dice, kinds);
    this.worth = pick(this.dice, ['number', 'number', 'text', 'moment'] as const);
    this.condition = random.flag(model.resource(this.kind), 3);
    this.value = random.of(this.worth, model.resource(this.kind), 3);
  }

  /** What is answered wrong; undefined where the expressions do not fit, which nobody may refuse with a fault. */
  async wrongAnswers(): Promise<string[] | undefined> {
    const { condition, value } = this;
    const all = await this.ask({ select: `{id,b:IIF(${condition},1,0),v:${value}}` });
    if (all.status >= 500) return [`${all.status} ${condition} ${value}`];
    if (all.status !== 200 || all.json.next) return undefined;
    this.items = all.json.items;
    await this.conditions();
    await this.collections();
    await this.orders();
    await this.sums();
    return this.wrong;
  }

  private ask(parameters: Record<string, string>, kind = this.kind): Promise<Answer> {
    const asked = new URLSearchParams({ dateformat: 'iso', take: '1000', ...parameters });
    return app.ask(`/api/v2/${kind}?${asked}`, { as: this.as });
  }

  private async check(parameters: Record<string, string>, expected: unknown, kind?: string): Promise<void> {
    const answer = await this.ask(parameters, kind);
    if (isTooMuch(answer) || /more than|at most/.test(answer.text)) return;
    const told = answer.status === 200 ? (answer.json.items ?? answer.json) : [answer.status, answer.text];
    if (JSON.stringify(told) === JSON.stringify(expected)) return;
    const texts = [told, expected].map((one) => JSON.stringify(one).slice(0, 500));
    this.wrong.push([`as ${this.as}: ${kind ?? this.kind}`, JSON.stringify(parameters), ...texts].join('\n'));
  }

  private ids(holds: (item: Item) => boolean): number[] {
    return this.items.filter(holds).map(({ id }) => id);
  }

  private async conditions(): Promise<void> {
    const { condition, items } = this;
    const yes = this.ids(({ b }) => b === 1);
    const others = items.length - yes.length;
    await this.check({ where: condition, select: 'id' }, yes);
    await this.check({ filter: `?${condition}`, select: 'id' }, yes);
    await this.check({ where: `not(${condition})`, result: 'count' }, others);
    await this.check({ result: `{yes:count(${condition}),all:count()}` }, { yes: yes.length, all: items.length });
    const groups = [
      { k: 0, n: others },
      { k: 1, n: yes.length },
    ].filter(({ n }) => n > 0);
    await this.check({ groupBy: `k:IIF(${condition},1,0)`, result: '{n:count()}' }, groups);
    await this.check(
      { where: `(${this.value}) is null`, select: 'id' },
      this.ids(({ v }) => v === undefined),
    );
  }

  /** Of the items of each owner. */
  private async collections(): Promise<void> {
    const { condition, value, collection, items } = this;
    const owners = await this.ask(
      { select: `{id,all:${collection}.select(id)}`, where: `${collection}.count()>0` },
      this.owner,
    );
    const byId = new Map(items.map((item) => [item.id, item]));
    const expected = (owners.json.items as { id: number; all: number[] }[]).map(({ id, all }) => {
      const yes = all.filter((one) => byId.get(one)!.b === 1);
      const shown = all.map((one) => ({ id: one, v: byId.get(one)!.v }));
      return { id, n: yes.length, any: yes.length > 0, none: yes.length === 0, yes, shown };
    });
    const select = `{id,n:${collection}.count(${condition}),any:${collection}.any(${condition}),none:${collection}.all(not(${condition})),yes:${collection}.where(${condition}).select(id),shown:${collection}.select({id,v:${value}})}`;
    await this.check({ select, where: `${collection}.count()>0` }, expected, this.owner);
  }

  private async orders(): Promise<void> {
    const { value, worth } = this;
    const ordered = await this.ask({ orderBy: value, select: `{id,v:${value}}` });
    const shown = (ordered.json.items ?? []) as Item[];
    const isAscending = shown.every(({ v }, at) => at === 0 || worth === 'text' || order(shown[at - 1]!.v) <= order(v));
    if (ordered.status !== 200 || !isAscending) this.wrong.push(`order by ${value}: ${ordered.text.slice(0, 500)}`);
    // Ids decide among equals, in the same direction.
    const select = 'id';
    await this.check({ orderByDesc: value, select }, shown.map(({ id }) => id).reverse());
    const counts = new Map<string, number>();
    for (const { v } of this.items) counts.set(fold(v), (counts.get(fold(v)) ?? 0) + 1);
    const groups = await this.ask({ groupBy: `k:${value}`, result: '{n:count()}' });
    const told = ((groups.json.items ?? []) as { k?: Shown; n: number }[]).map(({ k, n }) => [fold(k), n]);
    if (JSON.stringify(told.toSorted()) !== JSON.stringify([...counts].toSorted()))
      this.wrong.push(`groups by ${value}: ${groups.text.slice(0, 500)}`);
  }

  private async sums(): Promise<void> {
    const { value, worth } = this;
    const there = this.items.flatMap(({ v }) => v ?? []);
    await this.check({ result: `{n:count((${value}) is not null)}` }, { n: there.length });
    const bounds = await this.ask({ result: `{least:min(${value}),most:max(${value})}` });
    const sorted = there.toSorted((a, b) => order(a) - order(b));
    const { least, most } = bounds.json;
    const isRight =
      worth === 'text' ? (least === undefined) === (there.length === 0) : least === sorted[0] && most === sorted.at(-1);
    if (bounds.status !== 200 || !isRight) this.wrong.push(`bounds of ${value}: ${bounds.text.slice(0, 500)}`);
    if (worth === 'number') await this.reckoned(there as number[]);
  }

  private async reckoned(numbers: readonly number[]): Promise<void> {
    const { status, text, json } = await this.ask({
      result: `{sum:sum(${this.value}),average:average(${this.value})}`,
    });
    const sum = numbers.reduce((a, b) => a + b, 0);
    const size = Math.max(1, ...numbers.map(Math.abs));
    // A sum beyond the range of doubles is nothing.
    if (status === 200 && size > 1e290) return;
    const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * size * (numbers.length + 1);
    const isRight = isNear(json.sum, sum) && (numbers.length === 0 || isNear(json.average, sum / numbers.length));
    if (status !== 200 || !isRight) this.wrong.push(`sums of ${this.value}: ${text.slice(0, 500)}, not ${sum}`);
  }
}

/** Nothing comes first. */
const order = (value: Shown): number =>
  value === undefined ? Number.NEGATIVE_INFINITY : typeof value === 'string' ? Date.parse(value) : Number(value);

/** Texts are the same without regard to case. */
const fold = (value: Shown): string => (typeof value === 'string' ? `'${value.toLowerCase()}'` : String(value));

it(`${cases} conditions and values are worth the same everywhere, from seed ${seed} on`, async () => {
  const wrong: string[] = [];
  let refused = 0;
  for (let at = 0; at < cases && wrong.length < 5; at++) {
    const answers = await new Case(at).wrongAnswers();
    if (answers) wrong.push(...answers.map((one) => `SEED=${seed}, case ${at}, ${one}`));
    else refused += 1;
  }
  expect(wrong.join('\n\n')).toBe('');
  expect(refused).toBeLessThan(cases / 3);
});
