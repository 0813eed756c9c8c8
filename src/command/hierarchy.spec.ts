import 'reflect-metadata';
import { expect, it } from 'vitest';
import { buildModel } from '../model/build-model.js';
import { resourceEntities } from '../modules/entities.js';
import { hierarchyOf } from './hierarchy.js';

const model = buildModel(resourceEntities);
const { level, parts, owner, owners, project, projects, contents } = hierarchyOf(model);

it('tasks are parts of stories, test plan runs of test plans', () =>
  expect(parts).toBe(
    `select id from general where delete_date is null and ("user_story_id" = any($1::bigint[]) and entity_type_id = 5` +
      ` or "test_plan_id" = any($1::bigint[]) and entity_type_id = 14)`,
  ));

it('what an item is a part of', () =>
  expect(owner('g')).toBe(`case g.entity_type_id when 5 then g."user_story_id" when 14 then g."test_plan_id" end`));

it('what an item cannot be without: the project where it has to lie, its team, what it is a part of', () =>
  expect(owners('g').replace(/\s+/g, ' ')).toBe(
    `(values (1, case when g.entity_type_id in (5, 14) then (select w.project_id from general w where w.id = ${owner('g')})` +
      ` when g.entity_type_id not in (32, 10, 23, 24) then g.project_id end),` +
      ` (2, case g.entity_type_id when 24 then g."team_id" end),` +
      ` (3, ${owner('g')}))`,
  ));

it('a project holds all that lies in it, itself and what stands above projects aside', () =>
  expect([projects, contents.replace(/\s+/g, ' ')]).toEqual([
    [1],
    'select id from general where delete_date is null and project_id = any($1::bigint[]) and entity_type_id not in (1, 32, 10, 23, 24)',
  ]));

it('a project lies in itself', () =>
  expect(project).toBe('case when entity_type_id in (1) then id else project_id end'));

it('every kind has a level', () => {
  const levels = Object.fromEntries(
    [...level.matchAll(/when (\d+) then (\d)/g)].map(([, kind, at]) => [kind, Number(at)]),
  );
  expect(levels).toMatchObject({
    5: 0,
    4: 1,
    8: 1,
    13: 1,
    14: 1,
    17: 1,
    9: 2,
    27: 3,
    31: 4,
    3: 5,
    24: 5,
    2: 6,
    1: 7,
    23: 8,
  });
  const kinds = model.resource('General').kindsBelow.flatMap(({ settings }) => settings.entityTypeId ?? []);
  expect(Object.keys(levels).map(Number).sort()).toEqual(kinds.sort());
});
