/** Random expressions, answered by the service and read naively over a dump of all rows. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Answer, TestApp } from '../support/app.js';
import { model } from '../support/builder.js';
import { diceOf } from '../support/dice.js';
import { isTooMuch } from '../support/oracle/differences.js';
import { Dump } from '../support/oracle/dump.js';
import { scatter } from '../support/oracle/scattered-rows.js';
import { callerOf, type Thing, World } from '../support/oracle/world.js';
import { zone } from '../support/oracle/zone.js';
import { Expressions } from '../support/v2-expressions.js';

/** So many are made, the same ones for the same seed. */
const rounds = Number(process.env.CASES ?? 300);
const seed = Number(process.env.SEED ?? 1);

vi.setConfig({ testTimeout: 120_000 + rounds * 500 });

const callers = ['admin', 'alice', 'elena', 'uma'];

let app: TestApp;
let dump: Dump;
let all: World;
beforeAll(async () => {
  app = await TestApp.start({ TIME_ZONE: zone });
  await scatter(app.database, callers);
  // A database that was copied a moment ago knows nothing of its rows yet.
  await app.rows('analyze');
  dump = await Dump.of(app);
  all = new World(model, dump, callerOf(dump, 'admin'));
});
afterAll(() => app.stop());

const ask = (parameters: Record<string, string>, as: string, kind = 'UserStory') =>
  app.ask(`/api/v2/${kind}?${new URLSearchParams(parameters)}`, { as });

const shown = (members: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));

/** The first item that is not what it should be: a whole page of them tells no more. */
function difference(text: string, { status, json }: Answer, expected: readonly unknown[]): unknown {
  if (status !== 200) return { seed, text, status, json };
  const at = expected.findIndex((one, index) => JSON.stringify(one) !== JSON.stringify(json.items[index]));
  if (at < 0 && json.items.length === expected.length) return undefined;
  return { seed, text, answered: json.items[Math.max(at, 0)], expected: expected[at] };
}

describe.each(callers)('to %s', (as) => {
  let world: World;
  /** The latest first. */
  const things = (kind: string): Thing[] => world.things(model.resource(kind)).toSorted((a, b) => b.id - a.id);
  beforeAll(() => {
    world = new World(model, dump, callerOf(dump, as));
    expect(things('UserStory').length).toBeGreaterThan(10);
  });

  it.each(['UserStory', 'Feature', 'Bug'])('conditions on %s hold of the same items', async (kind) => {
    const expressions = new Expressions(diceOf(seed * 1_000_003 + kind.length * 1000 + as.length), all);
    let some = 0;
    let refused = 0;
    for (let round = 0; round < rounds / 2; round++) {
      const { text, worth } = expressions.condition(kind, 4);
      const answer = await ask({ where: text, select: 'id', take: '1000' }, as, kind);
      if (isTooMuch(answer)) refused += 1;
      if (isTooMuch(answer)) continue;
      const expected = things(kind)
        .filter(worth)
        .map(({ id }) => id);
      expect(difference(text, answer, expected)).toBeUndefined();
      if (expected.length > 0 && expected.length < things(kind).length) some++;
    }
    expect(refused).toBeLessThan(rounds / 20);
    // Neither all nor none, or it would tell nothing.
    expect(some).toBeGreaterThan(1);
  });

  it('values are the same for each item', async () => {
    const expressions = new Expressions(diceOf(seed * 1_000_003 + 77 + as.length), all);
    for (let round = 0; round < rounds / 4; round++) {
      const [b, n, t] = [
        expressions.condition('UserStory', 3),
        expressions.number('UserStory', 4),
        expressions.text('UserStory', 3),
      ];
      const select = `{id,b:IIF(${b.text},true,false),n:${n.text},t:${t.text}}`;
      const answer = await ask({ select, take: '1000' }, as);
      const expected = things('UserStory').map((it) =>
        shown({ id: it.id, b: b.worth(it), n: n.worth(it), t: t.worth(it) }),
      );
      expect(difference(select, answer, expected)).toBeUndefined();
    }
  });
});

describe('whatever text is sent', () => {
  const pieces =
    'id name effort tasks feature project it . . . ( ( ) ) , = == != <> < > <= >= + - * / & && || ! ? : { } [ ] \'x\' "y" 1 2.5 1e3 null true and or not in is as asc new count sum where select first distinct take IIF IFNONE Today DateTime Now Math Round Convert ToInt32 as<Bug> customvalues ["Risk"] Risk Me é 😀 \\ ; -- $1 %s'.split(
      ' ',
    );

  it('is answered, or refused, and never a fault', async () => {
    const dice = diceOf(seed * 1_000_003 + 4711);
    for (let round = 0; round < 1500; round++) {
      const text = Array.from({ length: 1 + dice(14) }, () => pieces[dice(pieces.length)]).join(
        dice(2) === 0 ? '' : ' ',
      );
      const parameter = ['where', 'select', 'result', 'orderBy', 'groupBy', 'filter'][dice(6)]!;
      const answer = await ask({ [parameter]: parameter === 'filter' ? `?${text}` : text, take: '2' }, 'admin');
      expect([parameter, text, answer.status]).toEqual([parameter, text, answer.status === 200 ? 200 : 400]);
      expect(answer.text).not.toMatch(/syntax error|node_modules|general_user|pg_catalog/);
    }
  });

  it('a good expression with a mistake in it, too', async () => {
    const dice = diceOf(seed * 1_000_003 + 1234);
    const expressions = new Expressions(dice, all);
    for (let round = 0; round < 500; round++) {
      const good = expressions.condition('UserStory', 3).text;
      const [from, to] = [dice(good.length), dice(good.length)].sort((a, b) => a - b) as [number, number];
      const text = dice(2) === 0 ? good.slice(0, from) + good.slice(to) : good.slice(0, to) + good.slice(from);
      const answer = await ask({ where: text, take: '2', select: 'id' }, 'admin');
      expect([text, answer.status]).toEqual([text, answer.status === 200 ? 200 : 400]);
    }
  });
});
