import 'reflect-metadata';
import { describe, expect, it } from 'vitest';
import type { ActorShape } from '../actor.js';
import { buildModel } from '../model/build-model.js';
import { resourceEntities } from '../modules/entities.js';
import { formOf } from './compile/forms.js';
import type { Of, Value } from './meaning.js';
import { parseParameters } from './parameters.js';
import { scope, scopeRows, scopeShown, visible } from './scope.js';
import { resolve } from './v1/compile-query.js';
import { parseQuery } from './v1/parse.js';
import { parseQueryV2 } from './v2/query-v2.js';
import { resolveQueryV2 } from './v2/resolve-query.js';
import { condition, negation, partsOf } from './values.js';

const model = buildModel(resourceEntities);

const scoped = (resource: string, text: string, shape: ActorShape) =>
  scope(
    resolve(parseQuery(parseParameters(text)), model.resource(resource), { groups: () => [], timeZone: 'UTC' }),
    shape,
  );

const undeleted = negation(condition({ kind: 'deleted' }));
const myProjects = condition({ kind: 'mine', column: 'project_id', set: 'projects' });
const myTeams = condition({
  kind: 'linkedToMine',
  table: 'team_assignment',
  from: 'assignable_id',
  column: 'team_id',
  set: 'teams',
});

describe('visible', () => {
  it.each([
    ['UserStory', [undeleted]],
    ['User', [undeleted]],
    ['Role', []],
    ['TeamMember', [{ kind: 'related', where: [undeleted] }]],
    ['Comment', [{ kind: 'related', where: [undeleted] }]],
    ['TestStepRun', [{ kind: 'related', where: [{ kind: 'related', where: [undeleted] }] }]],
  ])('%s to an administrator', (resource, expected) => {
    expect(visible(model.resource(resource), 'administrator')).toMatchObject(expected);
  });

  it.each([
    ['UserStory', [undeleted, { kind: 'or', parts: [myProjects, myTeams] }]],
    ['TestCase', [undeleted, { kind: 'or', parts: [myProjects] }]],
    ['Project', [undeleted, { kind: 'or', parts: [{ kind: 'mine', column: 'id', set: 'projects' }] }]],
    [
      'Program',
      [
        undeleted,
        {
          kind: 'or',
          parts: [myProjects, { kind: 'linkedToMine', table: 'general', from: 'program_id', column: 'id' }],
        },
      ],
    ],
    [
      'Team',
      [undeleted, { kind: 'or', parts: [myProjects, { kind: 'ofKind', column: 'entity_type_id', values: [23] }] }],
    ],
    ['User', [undeleted]],
    ['Role', []],
    [
      'Relation',
      [
        { kind: 'related', field: { name: 'Master' } },
        { kind: 'related', field: { name: 'Slave' } },
      ],
    ],
  ])('%s to a member', (resource, expected) => {
    expect(visible(model.resource(resource), 'member')).toMatchObject(expected);
  });
});

describe('scope', () => {
  it('reaches references, collections, counts, filters and sort orders', () => {
    const text =
      'include=[Project,Tasks[Iteration]]&append=[Bugs-Count]&where=Feature.Epic.Name eq x&orderBy=Release.Name';
    const plan = scoped('UserStory', text.replaceAll(' ', '+'), 'member');
    const rule = { kind: 'or' };
    const [project] = plan.members.filter((member) => member.kind === 'reference');
    expect(project).toMatchObject({ plan: { where: [undeleted, rule], privacy: 'self' } });
    const [tasks] = plan.collections;
    expect(tasks).toMatchObject({
      plan: { where: [undeleted, rule], members: [{ plan: { where: [undeleted, rule] } }] },
    });
    expect(plan.aggregates[0]?.value).toMatchObject({ of: { seen: [undeleted, rule] } });
    expect(plan.order[0]?.by).toMatchObject({ kind: 'field', of: { kind: 'reference', seen: [undeleted, rule] } });
    const seen = [undeleted, rule];
    expect(plan.where[0]).toMatchObject({ left: { of: { seen, of: { seen, of: { kind: 'row' } } } } });
    expect(formOf(plan.where[0]!)).toMatchObject({
      kind: 'related',
      where: [{ kind: 'related', where: [{}, ...seen] }, ...seen],
    });
  });

  it.each(['administrator in context', 'member in context'] as const)('limits rows alone to a context: %s', (shape) => {
    const text =
      'include=[Project,Tasks[Release]]&append=[Bugs-Count]&where=(Tasks.Release.Name eq x)&orderBy=Release.Name';
    const asked = text.replaceAll(' ', '+');
    const plan = scoped('UserStory', asked, shape);
    const without = scoped('UserStory', asked, shape === 'member in context' ? 'member' : 'administrator');
    const projects = condition({ kind: 'mine', column: 'project_id', set: 'context projects' });
    const context = condition({ kind: 'or', parts: [projects, { ...myTeams, set: 'context teams' }] });
    expect(plan.where).toEqual([...without.where, context]);
    const counted = ({ aggregates }: typeof plan) => (aggregates[0]!.value as Of<'aggregate'>).of.seen!;
    expect(counted(plan)).toEqual([...counted(without), context]);
    expect(plan.collections[0]!.plan).toEqual({
      ...without.collections[0]!.plan,
      where: [...without.collections[0]!.plan.where, context],
    });
    expect([plan.members, plan.order]).toEqual([without.members, without.order]);
  });

  it('asks nothing more of items that are found by the key of their visible owner', () => {
    const plan = scoped('UserStory', 'include=[Assignments,Comments]', 'member');
    for (const { plan: inner } of plan.collections) expect(inner.where).toEqual([]);
  });

  it('lists deleted rows to administrators who name the delete date, and to nobody else', () => {
    expect(scoped('User', 'where=DeleteDate+is+not+null', 'administrator').where).not.toContainEqual(undeleted);
    expect(scoped('User', 'where=DeleteDate+is+not+null', 'member').where).toContainEqual(undeleted);
    expect(scoped('User', 'where=Comments.General.DeleteDate+is+not+null', 'administrator').where).toContainEqual(
      undeleted,
    );
  });

  it('remembers people: a reference to a deleted user shows them', () => {
    const plan = scoped('UserStory', 'include=[Owner]', 'administrator');
    expect(plan.members[0]).toMatchObject({ plan: { where: [] } });
  });
});

describe('values of version 2', () => {
  const text =
    "where=tasks.where(project.name=='a').count()>effort&orderBy=release.name&select={id,owner.fullName,tasks.select({id,release.name})}";
  const catalogue = { groups: () => [], timeZone: 'UTC' };
  const { plan, shown } = resolveQueryV2(
    parseQueryV2(text, 16_384),
    model.resource('UserStory'),
    { model, catalogue },
    'page',
  );
  const valuesOf = (rows: typeof plan, items: typeof shown): Value[] => [
    ...rows.where,
    ...rows.order.map(({ by }) => by),
    ...(items.kind === 'items' ? [items.item] : []),
  ];
  /** The conditions of all that leads to other rows; undefined: nobody has said who may see them. */
  const seenIn = (values: readonly Value[]): unknown[] =>
    values.flatMap((value) => [
      ...(value.kind === 'reference' || value.kind === 'chain' ? [value.seen] : []),
      ...seenIn(partsOf(value)),
    ]);
  const scopedFor = (shape: ActorShape) => seenIn(valuesOf(scopeRows(plan, shape), scopeShown(shown, shape)));

  it('are narrowed wherever they lead to other rows, and stay as they were themselves', () => {
    const places = seenIn(valuesOf(plan, shown)).length;
    expect(places).toBeGreaterThan(5);
    for (const shape of ['administrator', 'member'] as const) {
      expect(scopedFor(shape)).toHaveLength(places);
      expect(scopedFor(shape)).not.toContain(undefined);
    }
    expect(scopedFor('member')).not.toEqual(scopedFor('administrator'));
    expect(seenIn(valuesOf(plan, shown))).toEqual(Array(places).fill(undefined));
  });
});
