/** An end that is the start of a local day means the whole of that day, in whatever tells where now is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';
import { type Ids, make } from '../support/builder.js';

let app: TestApp;
let today: string;
let yesterday: string;
const ids: Ids = { Process: 3, Role: 1 };
const place = { mark: 'lastdays', ids };

/** A zone in which it is about noon, so that no day ends meanwhile. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours();
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
}

beforeAll(async () => {
  const zone = zoneAtNoon();
  app = await TestApp.start({ TIME_ZONE: zone });
  const days = await app.rows(
    `select d::text as today, (d - 1)::text as yesterday from (select (now() at time zone $1)::date as d) x`,
    [zone],
  );
  ({ today, yesterday } = days[0]);
  ids.Project = await make(app, 'Project', place);
  ids.User = await make(app, 'User', place);
});
afterAll(() => app.stop());

const flags = 'include=[Id,IsCurrent,IsNow,IsNext,IsPrevious]';
const release = (dates: object): Promise<number> => make(app, 'Release', place, dates);

it('a release is current on its last day, and on its only one', async () => {
  const isNow = { IsCurrent: true, IsNow: true, IsNext: false, IsPrevious: false };
  for (const StartDate of [yesterday, today]) {
    const id = await release({ StartDate, EndDate: today });
    expect(await app.json(`/api/v1/Releases/${id}?${flags}`)).toMatchObject(isNow);
    const found = await app.items(`/api/v1/Releases?where=(Id eq ${id}) and (IsCurrent eq 'true')&include=[EndDate]`);
    expect(found).toMatchObject([{ EndDate: expect.stringMatching(/^\/Date\(\d+000[-+]\d{4}\)\/$/) }]);
    const v2 = await app.json(`/api/v2/Release?where=id=${id}&select={c:isCurrent,p:isPrevious,past:inPast(9)}`);
    expect(v2.items).toEqual([{ c: true, p: false, past: false }]);
  }
});

it('one that ended the day before is over, and so is one that ended at an hour of this day', async () => {
  for (const EndDate of [yesterday, `${today}T00:00:01`]) {
    const id = await release({ StartDate: yesterday, EndDate });
    const over = { IsCurrent: false, IsNow: false, IsNext: false, IsPrevious: true };
    expect(await app.json(`/api/v1/Releases/${id}?${flags}`)).toMatchObject(over);
    const v2 = await app.json(`/api/v2/Release?where=id=${id}&select={past:inPast(9)}`);
    expect(v2.items).toEqual([{ past: true }]);
  }
});

it('what is due by a day, or on it, is found by the day behind it and by its date', async () => {
  const [early, due, late] = (await Promise.all(
    ['2026-12-23', '2026-12-24', '2026-12-25'].map((PlannedEndDate) => make(app, 'Bug', place, { PlannedEndDate })),
  )) as [number, number, number];
  const mine = `Id in (${early},${due},${late})`;
  const v1 = async (where: string) =>
    (await app.items(`/api/v1/Bugs?include=[Id]&orderBy=Id&where=${mine} and ${where}`)).map(({ Id }) => Id);
  const v2 = async (where: string) =>
    (await app.json(`/api/v2/Bug?select=id&orderBy=id&where=id in [${early},${due},${late}] and ${where}`)).items;
  const byThen = [early, due].sort((one, other) => one - other);
  expect(await v1("PlannedEndDate lt '2026-12-25'")).toEqual(byThen);
  expect(await v1("PlannedEndDate gte '2026-12-24' and PlannedEndDate lt '2026-12-25'")).toEqual([due]);
  expect(await v1("PlannedEndDate lte '2026-12-24'")).toEqual([early]);
  expect(await v1("PlannedEndDate eq '2026-12-24'")).toEqual([]);
  expect(await v2("plannedEndDate<'2026-12-25'")).toEqual(byThen);
  expect(await v2("plannedEndDate.date<='2026-12-24'")).toEqual(byThen);
  expect(await v2("plannedEndDate.date=='2026-12-24'")).toEqual([due]);
});

it('a membership is active on its last day, and its allocation effective', async () => {
  const id = await make(app, 'ProjectMember', place, { MembershipStartDate: today, MembershipEndDate: today });
  const member = () => app.json(`/api/v1/ProjectMembers/${id}?include=[IsActive,Allocations[IsEffective]]`);
  const shown = (is: boolean) => ({ IsActive: is, Allocations: { Items: [{ IsEffective: is }] } });
  expect(await member()).toMatchObject(shown(true));
  const ended = { MembershipStartDate: yesterday, MembershipEndDate: yesterday };
  await app.post(`/api/v1/ProjectMembers/${id}`, ended);
  expect(await member()).toMatchObject(shown(false));
});
