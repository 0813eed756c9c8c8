/**
 * What is kept of a selection changes no statement: it is the same as one that is worked out from nothing. And it is
 * kept in so many bytes.
 */
import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import { Bound } from '../../src/bound.js';
import { buildModel } from '../../src/model/build-model.js';
import { resourceEntities } from '../../src/modules/entities.js';
import { compilePage, isJoined, spellItems } from '../../src/query/compile/page.js';
import { StatementCache } from '../../src/query/compile/statement-cache.js';
import { cacheLimits } from '../../src/query/limits.js';
import type { Condition, CustomFieldCatalogue } from '../../src/query/meaning.js';
import { parseParameters } from '../../src/query/parameters.js';
import { scope } from '../../src/query/scope.js';
import { compileQuery, resolve } from '../../src/query/v1/compile-query.js';
import { parseQuery } from '../../src/query/v1/parse.js';
import { condition } from '../../src/query/values.js';
import { jsonRepresentation } from '../../src/representation/json.js';
import { xmlRepresentation } from '../../src/representation/xml.js';
import { list, raw, type Statement, statement, value } from '../../src/sql.js';

const model = buildModel(resourceEntities);
const defined = (name: string): CustomFieldCatalogue => ({
  timeZone: 'UTC',
  groups: (kinds) =>
    kinds.includes(4)
      ? [{ processId: 3, entityTypeId: 4, fields: [{ name, type: 'DropDown', options: ['High', 'Low'] }] }]
      : [],
});
const risk = defined('Risk');

const formats = [
  { formatName: 'json:ms', format: jsonRepresentation({ dates: 'ms', utc: true }), tail: 'format=json&' },
  { formatName: 'json:iso', format: jsonRepresentation({ dates: 'iso', utc: true }), tail: 'isodate=true&' },
  { formatName: 'xml:ms', format: xmlRepresentation, tail: '' },
];
const shapes = ['administrator', 'member'] as const;
type Asked = (typeof formats)[number] & { kind: string; shape: (typeof shapes)[number] };

function both(
  statements: StatementCache,
  text: string,
  { kind, shape, ...style }: Asked,
  catalogue = risk,
  extra: Condition[] = [],
) {
  const query = () => parseQuery(parseParameters(text));
  const resource = model.resource(kind);
  const resolved = resolve(query(), resource, catalogue);
  const plan = { ...resolved, where: [...resolved.where, ...extra] };
  const asking = { ...style, shape, resource, catalogue, statements, extra, extraName: `${extra.length}` };
  const kept = compileQuery(query(), asking);
  const seen = scope(plan, shape);
  return {
    kept: run(kept),
    fromNothing: run(compilePage(seen, spellItems(seen, style.format, style, isJoined(seen)))),
  };
}

/** As it is run; how its values were read is left aside. */
const run = ({ parameters, ...statement }: Statement) => ({
  ...statement,
  parameters: parameters.map((one) => (one.kind === 'late' ? one : { kind: one.kind, value: one.value })),
});

const selections = [
  '',
  'include=[Name,Project[Name],Tasks[Name,Effort],Assignments[Role[Name],GeneralUser[FirstName]]]&append=[Tasks-Count]',
  'include=[Owner,Project,Team,EntityState,Priority,Release]',
  'include=[CustomFields]',
  'include=[Name,Tasks[Name]]&innerTake=3',
  'exclude=[Description]&append=[Bugs-Effort-Sum]',
];
const rows = [
  '',
  "where=(EntityState.Name eq 'Open') and (Id gt 5)",
  "where=(EntityState.Name eq 'Open') and (Id gt 6)",
  "where=CustomFields.Risk eq 'high'&orderBy=Project.Name",
  'orderByDesc=CreateDate&take=3&skip=7',
  'where=DeleteDate is not null&take=200',
  "where=Tasks.Name contains 'a'",
];

describe.each(selections)('with %s', (selection) => {
  it('statements are what they are for a selection that is new', () => {
    const statements = new StatementCache({ version: 1 });
    for (const kind of selection.includes('Tasks') || selection.includes('Bugs') ? ['UserStory'] : ['UserStory', 'Bug'])
      for (const row of rows.filter((text) => kind === 'UserStory' || !/Risk|Tasks/.test(text)))
        for (const shape of shapes)
          for (const format of formats) {
            const { kept, fromNothing } = both(statements, `${selection}&${row}`, { kind, shape, ...format });
            expect(kept).toEqual(fromNothing);
          }
  });
});

const asAdministrator: Asked = { kind: 'UserStory', shape: 'administrator', ...formats[0]! };

it('an inner collection has its owner in the statement, and leaves nothing behind', () => {
  const statements = new StatementCache({ version: 1 });
  const field = model.resource('Project').field('UserStories');
  if (field?.kind !== 'collection') throw new Error('projects have stories');
  const inside = condition({ kind: 'inside', field, owner: model.resource('Project'), where: [] });
  for (const extra of [[inside], []]) {
    const { kept, fromNothing } = both(statements, 'include=[Name]', asAdministrator, risk, extra);
    expect(kept).toEqual(fromNothing);
    expect(kept.parameters.some((one) => one.kind === 'late' && one.late === 'id')).toBe(extra.length > 0);
  }
});

it('is forgotten when definitions of custom fields have changed', () => {
  const definitions = { version: 1 };
  const statements = new StatementCache(definitions);
  const text = 'include=[CustomFields]';
  expect(both(statements, text, asAdministrator).kept.text).toContain('"Risk"');
  definitions.version = 2;
  expect(both(statements, text, asAdministrator, defined('Hazard')).kept.text).toContain('"Hazard"');
});

const refusalOf = (make: () => unknown): string => {
  try {
    make();
    return 'nothing refused';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('filters that differ in their words alone', () => {
  const filters = [
    'Id eq ?',
    'Project.Id eq ? and Id gt ?',
    'Name eq ?',
    'Name ne ? or not (Name eq ?)',
    'Name contains ?',
    'Name in (?, ?)',
    'Id not in (?, ?)',
    'Tags contains ?',
    'Effort gte ?',
    'CreateDate gt ? and CreateDate lt ?',
    'CreateDate in (?, ?)',
    'Project.IsActive eq ?',
    'Owner.Kind eq ?',
    'EntityState.Name in (?, ?) and Project.Id eq 5',
    'CustomFields.Risk eq ?',
    'CustomFields.Risk in (?, ?)',
    'CustomFields.Risk contains ?',
    'Tasks.Id eq ?',
    'DeleteDate gt ?',
  ];
  const words =
    `5 '5' 6 -7 .5 9223372036854775808 null 'null' NULL Today 'today-3' @Tomorrow '2026-01-05' 24-Oct-2015 'high'
    'HIGH' 'x' '*x' 'x*' '*x*' '*' '"x"' 'a%b_c' true 'False' 1 0 '' 'user' 'Requester' 'it''s' '\u{1f600}'`.split(
      /\s+/,
    );

  it.each(filters)('%s', (filter) => {
    const statements = new StatementCache({ version: 1 });
    for (const [at, first] of words.entries())
      for (const second of filter.split('?').length > 2 ? [words[at]!, words[(at * 7 + 3) % words.length]!] : ['']) {
        const text = `where=${encodeURIComponent([first, second].reduce((all, word) => all.replace('?', () => word), filter))}`;
        const asked = { ...asAdministrator, shape: shapes[at % 2]! };
        const [resource, query] = [model.resource('UserStory'), parseQuery(parseParameters(text))];
        const fromNothing = refusalOf(() => resolve(query, resource, risk));
        expect(`${text}: ${refusalOf(() => both(statements, text, asked))}`).toBe(`${text}: ${fromNothing}`);
        if (fromNothing !== 'nothing refused') continue;
        const made = both(statements, text, asked);
        expect(made.kept).toEqual(made.fromNothing);
      }
  });

  it('are compiled once', () => {
    const statements = new StatementCache({ version: 1 });
    let resolved = 0;
    const groups: CustomFieldCatalogue['groups'] = (kinds) => {
      resolved += 1;
      return risk.groups(kinds);
    };
    const resolvedFor = (option: string): number => {
      const before = resolved;
      both(statements, `include=[Id]&where=CustomFields.Risk eq '${option}'`, asAdministrator, { ...risk, groups });
      return resolved - before;
    };
    const fromNothing = 1;
    expect(['High', 'low', 'none', 'other'].map(resolvedFor)).toEqual([
      fromNothing + 1,
      fromNothing,
      fromNothing + 1,
      fromNothing,
    ]);
  });
});

it.each(['', 'orderBy=Project.Name', 'orderByDesc=Id'])('all pages are refused or none: %s', (order) => {
  const statements = new StatementCache({ version: 1 });
  const outcomes = new Set<string>();
  for (let count = 20; count <= 90; count += 1) {
    const conditions = Array.from({ length: count }, (_, at) => `Feature.Epic.Owner.FirstName eq '${at}'`);
    const refusals = [0, 7].map((skip) =>
      refusalOf(() => both(statements, `where=${conditions.join(' or ')}&${order}&skip=${skip}`, asAdministrator)),
    );
    expect([count, refusals[1]]).toEqual([count, refusals[0]]);
    outcomes.add(refusals[0]!.slice(0, 40));
  }
  expect([...outcomes]).toEqual(['nothing refused', expect.stringContaining('too much at once')]);
});

it('what is refused is refused each time, in the same words', () => {
  const statements = new StatementCache({ version: 1 });
  const refusal = (text: string): string => refusalOf(() => both(statements, text, asAdministrator));
  for (const text of [
    'include=[Nam]',
    `include=[${'Id,'.repeat(200)}Id]`,
    'include=[Id]&exclude=[Name]',
    "where=Nam eq 'x'",
  ]) {
    expect(refusal(text)).not.toBe('nothing refused');
    expect(refusal(text)).toBe(refusal(text));
  }
});

describe('so many bytes are kept, however much is asked for by queries that live on', () => {
  const text = 'x'.repeat(100_000);
  const queries = Array.from({ length: 40 }, () => ({}));
  const asked = queries.flatMap((query) => Array.from({ length: 25 }, (_, at) => ({ query, key: `take ${at}` })));
  type Ask = (statements: StatementCache, one: (typeof asked)[number], made: <T>(one: T) => T) => unknown;

  const plan = resolve(parseQuery(parseParameters('')), model.resource('UserStory'), risk);
  const spelled = { ...spellItems(plan, formats[0]!.format, { tail: '' }, false), item: raw(text) };
  const where = { ...parseQuery(parseParameters('where=Id eq 5')).where!, words: ['5'] };
  const bound = value(
    Bound.word('5', 0, (word) => word),
    'text',
  );

  it.each<[string, number, Ask]>([
    ['statements', cacheLimits.statements, (to, { query, key }, made) => to.of(query, key, () => made({ text }))],
    ['items', cacheLimits.items, (to, { query, key }, made) => to.itemsOf(query, key, () => made({ plan, spelled }))],
    [
      'statements by the shape of their filter',
      cacheLimits.texts,
      (to, { query, key }, made) =>
        to.ofShape({ number: queries.indexOf(query), plan, spelled }, key, where, () =>
          made(statement(list([raw(text), bound]))),
        ),
    ],
  ])('%s', (_, bytes, ask) => {
    const statements = new StatementCache({ version: 1 });
    let count = 0;
    const made = <T>(one: T): T => {
      count += 1;
      return one;
    };
    for (const one of [...asked, ...asked]) ask(statements, one, made);
    count = 0;
    for (const one of [...asked].reverse()) ask(statements, one, made);
    const kept = asked.length - count;
    expect(kept).toBeGreaterThan(20);
    expect(kept * text.length).toBeLessThanOrEqual(bytes);
  });
});
