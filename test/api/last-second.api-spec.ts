/** What ends with the last second of a day is under way until the day is over, by clocks that stand in that second. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'lastsecond', ids };
const day = '2026-05-07';
let first: TestApp;
/** Its statements find a clock ahead of that of PostgreSQL. */
let app: TestApp;
let iteration: number;
let release: number;
let bug: number;
let member: number;

const setClock = (time: string) => app.rows('update clock.time set now = $1', [time]);

beforeAll(async () => {
  first = await TestApp.start({ TIME_ZONE: 'UTC' });
  ids.Project = await make(first, 'Project', place);
  ids.User = await make(first, 'User', place);
  iteration = await make(first, 'Iteration', place, { StartDate: day, EndDate: day });
  release = await make(first, 'Release', place, { StartDate: day, EndDate: `${day}T23:59:59` });
  bug = await make(first, 'Bug', place, { Iteration: { Id: iteration }, Release: { Id: release } });
  const membership = { MembershipStartDate: day, MembershipEndDate: `${day}T23:59:59` };
  member = await make(first, 'ProjectMember', place, membership);
  await first.rows(`create schema clock;
    create table clock.time (now timestamptz);
    insert into clock.time values (null);
    create function clock.now() returns timestamptz stable return (select now from clock.time);
    do $$ begin
      execute format('alter database %I set search_path = clock, pg_catalog, public', current_database());
    end $$`);
  app = await first.replica({ TIME_ZONE: 'UTC' });
});
afterAll(async () => {
  await app.stop();
  await first.stop();
});

/** Of these clocks, whether the day is over. */
const clocks: [time: string, isOver: boolean][] = [
  [`${day}T23:59:59Z`, false],
  [`${day}T23:59:59.001Z`, false],
  [`${day}T23:59:59.999999Z`, false],
  ['2026-05-08T00:00:00Z', true],
];

it.each(clocks)('flags of an iteration and a release at %s, shown and in filters', async (time, isOver) => {
  await setClock(time);
  const flags = { IsCurrent: !isOver, IsNow: !isOver, IsNext: false, IsPrevious: isOver };
  for (const path of [`Iterations/${iteration}`, `Releases/${release}`])
    expect(await app.json(`/api/v1/${path}?include=[IsCurrent,IsNow,IsNext,IsPrevious]`)).toMatchObject(flags);
  for (const span of ['Iteration', 'Release'])
    for (const [flag, value] of Object.entries(flags)) {
      const where = `(Id eq ${bug}) and (${span}.${flag} eq '${value}')`;
      expect(await app.items(`/api/v1/Bugs?include=[Id]&where=${where}`), `${span}.${flag}`).toHaveLength(1);
    }
});

it.each(clocks)('flags, words and pasts of version 2 at %s', async (time, isOver) => {
  await setClock(time);
  const select = '{c:iteration.isCurrent,now:release.isNow,past:iteration.inPast(1),previous:release.isPrevious}';
  expect((await app.json(`/api/v2/Bug?where=id=${bug}&select=${select}`)).items).toEqual([
    { c: !isOver, now: !isOver, past: isOver, previous: isOver },
  ]);
  const where = `id=${bug} and iteration is ${isOver ? 'Past' : 'Current'}`;
  expect((await app.json(`/api/v2/Bug?where=${where}&select=id`)).items).toEqual([bug]);
});

it.each(clocks)('a membership and its allocation at %s', async (time, isOver) => {
  await setClock(time);
  expect(await app.json(`/api/v1/ProjectMembers/${member}?include=[IsActive,Allocations[IsEffective]]`)).toMatchObject({
    IsActive: !isOver,
    Allocations: { Items: [{ IsEffective: !isOver }] },
  });
});
