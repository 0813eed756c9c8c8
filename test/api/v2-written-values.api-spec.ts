/** Version 2: texts that are written beside other types, and texts that are made of choices and dates. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
});
afterAll(() => app.stop());

const ask = (kind: string, parameters: Record<string, string>) =>
  app.ask(`/api/v2/${kind}?${new URLSearchParams(parameters)}`);
const countOf = async (kind: string, where: string) => (await ask(kind, { where, result: 'count' })).json;
const shownOf = async (value: string) => (await ask('UserStory/1241', { select: value })).json.items?.[0];

it.each([
  ["id>'1241.5'", 'id>1241.5'],
  ["'1241.5'<id", 'id>1241.5'],
  ["id>='1241.0'", 'id>=1241'],
  ["id=='1.5'", 'id<0'],
  ["id!='1.5'", 'id>0'],
  ["id in ['1.5',1241]", 'id==1241'],
  ["id not in ['1240.5','1241']", 'id!=1241'],
  ["tasks.count()>'1.5'", 'tasks.count()>1.5'],
  ["tasks.count()=='1.5'", 'id<0'],
  ["numericPriority<'1e3'", 'numericPriority<1000'],
  ["IFNONE(id,'0.5')>1241", 'id>1241'],
  ["IIF(id>1241,id,'1.5')==1.5", 'id<=1241'],
  ["SafeConvert.ToIntArray('1,2').contains('1.5')", 'id<0'],
])('a fraction in quotes is a number beside a whole one: %s', async (where, same) => {
  expect(await countOf('UserStory', where)).toBe(await countOf('UserStory', same));
});

it.each([
  ['UserStory', "createDate.dayOfWeek.toString()=='Mon'", 'id<0'],
  ['UserStory', "createDate.dayOfWeek.toString() in ['Mon','monday']", "createDate.dayOfWeek=='Monday'"],
  ['UserStory', "createDate.dayOfWeek>'Sz'", "createDate.dayOfWeek in ['Thursday','Tuesday','Wednesday']"],
  ['GeneralUser', "kind.toString()=='x'", 'id<0'],
  ['GeneralUser', "kind.toString()=='USER'", "kind=='User'"],
  ['GeneralUser', "kind>'R'", "kind!='Contact'"],
  ['GeneralUser', "'r'<kind and kind<='requester'", "kind=='Requester'"],
  ['UserStoryHistory', "modification.toString()=='x'", 'id<0'],
])('of %s, a choice as a text is compared with any text: %s', async (kind, where, same) => {
  const count = await countOf(kind, where);
  expect([typeof count, count]).toEqual(['number', await countOf(kind, same)]);
});

it('a choice itself is compared with choices alone', async () => {
  const { json } = await ask('UserStory', { where: "createDate.dayOfWeek=='Mon'" });
  expect(json.Message).toContain("'Mon' is not one of Sunday, Monday");
});

it.each([
  [`ToString('yyyy "at" HH')`, '2031 at 04'],
  [`ToString("yyyy 'at' HH")`, '2031 at 04'],
  [`ToString("yyyy 'a\\"t' d")`, '2031 a"t 9'],
  [`ToString('d "o\\'clock"')`, "9 o'clock"],
  ["ToString('%d')", '9'],
  ["ToString('%H')", '4'],
  ["ToString('d')", '5/9/2031'],
  ["ToString('d%')", '9%'],
])('a date as a text: %s', async (form, text) => {
  expect(await shownOf(`DateTime.Parse('2031-05-09T04:05:06').${form}`)).toBe(text);
});

it.each([
  `ToString('yyyy "at')`,
  `ToString("yyyy 'at")`,
  "ToString('H')",
  "ToString('%')",
  "ToString('%x')",
])('a form that is none: %s', async (form) => {
  const { status, json } = await ask('UserStory', { select: `createDate.${form}` });
  expect([status, json.Message]).toEqual([400, expect.stringContaining('ToString of a date takes a form')]);
});

it.each([
  ['nme', "Did you mean 'name'?"],
  ['entitystat', "Did you mean 'entityState'?"],
  ['relesenotes', "Did you mean 'releaseNotes'?"],
  ['customvlues', "Did you mean 'customValues'?"],
  ['resourcetpe', "Did you mean 'resourceType'?"],
  ['name.lengt', "Did you mean 'Length'?"],
  ['Math.Abz(1)', "Did you mean 'Abs'?"],
  ['tasks.cunt()', "Did you mean 'Count'?"],
])('%s: a member is suggested as answers spell it, a method as the document does', async (select, message) => {
  expect((await ask('UserStory', { select })).json.Message).toContain(message);
});
