/** What expressions of version 2 mean, each checked against what the database holds. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApp } from '../support/app.js';

let app: TestApp;
beforeAll(async () => {
  app = await TestApp.start();
  // A database that was copied a moment ago knows nothing of its rows yet.
  await app.rows('analyze');
});
afterAll(() => app.stop());

async function asked(entity: string, parameters: Record<string, string>, as = 'admin') {
  const answer = await app.ask(`/api/v2/${entity}?${new URLSearchParams(parameters)}`, { as });
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  return answer.json;
}

const stories = 'g.entity_type_id = 4 and g.delete_date is null';
const idsOf = async (condition: string, kind = 4): Promise<number[]> =>
  (
    await app.rows(
      `select g.id from general g where g.entity_type_id = ${kind} and g.delete_date is null and (${condition}) order by g.id desc`,
    )
  ).map(({ id }) => id);

const state = (column: string) => `(select s.${column} from entity_state s where s.id = g.entity_state_id)`;
const tasks = (what: string, condition = 'true') =>
  `(select ${what} from general x where x.entity_type_id = 5 and x.user_story_id = g.id and x.delete_date is null and ${condition})`;
const name = (table: string, column: string) => `(select n.name from ${table} n where n.id = g.${column})`;
const feature = name('general', 'feature_id');
const epic = '(select e.name from general f join general e on e.id = f.epic_id where f.id = g.feature_id)';
const ms = (column: string) => `'/Date(' || (extract(epoch from ${column}) * 1000)::bigint || '+0000)/'`;

describe('where', () => {
  it.each([
    ['effort>10', 'g.effort > 10'],
    ['effort>=8.5 and effort<20', 'g.effort >= 8.5 and g.effort < 20'],
    ['10<effort', 'g.effort > 10'],
    // Texts beside numbers and flags are read as in filters of version 1.
    ["effort>'1e1' and effort<'.2e2'", 'g.effort > 10 and g.effort < 20'],
    ["entityState.isFinal=='1'", 'exists (select 1 from entity_state s where s.id = g.entity_state_id and s.is_final)'],
    // What is denied twice is asked as the thing itself, and denied again it also holds where that is unknown.
    ['not(name==null or not(lastCommentedUser!=Me))', 'g.last_commented_user_id is distinct from 1'],
    ['effort=8', 'g.effort = 8'],
    ['effort<>8', 'g.effort <> 8'],
    ['effort!=8 && effort!=3 || id==1257', '(g.effort <> 8 and g.effort <> 3) or g.id = 1257'],
    ['not(effort>10)', 'not g.effort > 10'],
    ['!(effort>10) AND (effort>5)', 'g.effort <= 10 and g.effort > 5'],
    ['(effort>10)and(effort<12)', 'g.effort > 10 and g.effort < 12'],
    ["name=='SHOW SHARED LINKS ON SMALL SCREENS'", "g.name = 'Show shared links on small screens'"],
    ['name.Contains("SHARED")', "g.name ilike '%shared%'"],
    ['name.contains("_")', "strpos(g.name, '_') > 0"],
    ['name.StartsWith("explain")', "g.name ilike 'explain%'"],
    ['name.EndsWith("seconD")', "g.name ilike '%second'"],
    [
      'name.contains(project.abbreviation)',
      'strpos(lower(g.name), lower((select p.abbreviation from general p where p.id = g.project_id))) > 0',
    ],
    ['name>"Load"', `lower(g.name) > lower('Load' collate "und-x-icu")`],
    ['entityState.name=="open"', `${state('name')} = 'Open'`],
    ['entityState.isFinal', state('is_final')],
    ['entityState.isFinal==false', `not ${state('is_final')}`],
    ['not entityState.isFinal', `not ${state('is_final')}`],
    ['feature==null', 'g.feature_id is null'],
    ['feature is null', 'g.feature_id is null'],
    ['feature!=null', 'g.feature_id is not null'],
    ['feature is not null', 'g.feature_id is not null'],
    ['feature.name==null', 'g.feature_id is null'],
    ['feature.epic.name=="Dashboards people read"', `${epic} = 'Dashboards people read'`],
    ['feature.epic.name!="Dashboards people read"', `${epic} is distinct from 'Dashboards people read'`],
    ['startDate==null', 'g.start_date is null'],
    ['endDate!=null', 'g.end_date is not null'],
    ['startDate==endDate', 'g.start_date is not distinct from g.end_date'],
    ['startDate!=endDate', 'g.start_date is distinct from g.end_date'],
    ['id in [1263,1257,3]', 'g.id in (1263,1257,3)'],
    ["id in ['1263']", 'g.id = 1263'],
    ['id not in [1263]', 'g.id <> 1263'],
    ['id in []', 'false'],
    ['effort in [8,3.5]', 'g.effort in (8, 3.5)'],
    ['entityState.name in ["OPEN","done"]', `${state('name')} in ('Open', 'Done')`],
    ['id in [feature.id+1,1263]', 'g.id in (g.feature_id + 1, 1263)'],
    ['units=="PT"', "g.units = 'pt'"],
    ['createDate>"2026-06-01"', "g.create_date > '2026-06-01'"],
    ['createDate>DateTime.Parse("2026-06-01T12:00:00")', "g.create_date > '2026-06-01 12:00:00'"],
    ['createDate<Today-200', "g.create_date < date_trunc('day', now()) - interval '200 days'"],
    ['createDate<Today.AddMonths(-6)', "g.create_date < date_trunc('day', now()) - interval '6 months'"],
    ['(Today-createDate).TotalDays>200', "date_trunc('day', now()) - g.create_date > interval '200 days'"],
    ['(modifyDate-createDate).TotalHours<48', "g.modify_date - g.create_date < interval '48 hours'"],
    ['modifyDate-createDate>createDate-createDate', 'g.modify_date > g.create_date'],
    ['createDate.Date==modifyDate.Date', "date_trunc('day', g.create_date) = date_trunc('day', g.modify_date)"],
    ['createDate.month==7 and createDate.year==2026', "to_char(g.create_date, 'YYYY-MM') = '2026-07'"],
    ['createDate.DayOfWeek=="monday"', 'extract(dow from g.create_date) = 1'],
    ['tasks.Count>0', `${tasks('count(*)')} > 0`],
    ['tasks.count()==0', `${tasks('count(*)')} = 0`],
    ['0<tasks.count()', `${tasks('count(*)')} > 0`],
    ['tasks.count()>2', `${tasks('count(*)')} > 2`],
    ['tasks.Count(effort>3)>=1', `${tasks('count(*)', 'x.effort > 3')} > 0`],
    [
      'tasks.Any(entityState.isFinal==true)',
      `exists ${tasks('1', '(select s.is_final from entity_state s where s.id = x.entity_state_id)')}`,
    ],
    [
      'tasks.any() and not tasks.any(effort>3)',
      `${tasks('count(*)')} > 0 and ${tasks('count(*)', 'x.effort > 3')} = 0`,
    ],
    ['tasks.take(0).any()', 'false'],
    ['tasks.skip(1).any()', `${tasks('count(*)')} > 1`],
    ['tasks.skip(1).count()>0', `${tasks('count(*)')} > 1`],
    ['tasks.take(1).count()==1', `${tasks('count(*)')} > 0`],
    [
      'feature.userStories.select(tasks).any(it.count(effort>3)>1)',
      'exists (select 1 from general s where s.feature_id = g.feature_id and s.entity_type_id = 4 and s.delete_date is null and (select count(*) from general x where x.user_story_id = s.id and x.entity_type_id = 5 and x.delete_date is null and x.effort > 3) > 1)',
    ],
    [
      'tasks.select(entityState).where(isFinal).count()>0',
      `${tasks('count(*)', '(select s.is_final from entity_state s where s.id = x.entity_state_id)')} > 0`,
    ],
    ['tasks.All(effort>3)', `${tasks('count(*)', 'not x.effort > 3')} = 0`],
    ['tasks.Where(effort>3).Sum(effort)>5', `${tasks('sum(x.effort)', 'x.effort > 3')} > 5`],
    ['tasks.Sum(effort)==0', `coalesce(${tasks('sum(x.effort)')}, 0) = 0`],
    ['tasks.Average(effort)>4', `${tasks('avg(x.effort)')} > 4`],
    ['tasks.Select(effort).Where(it>4).Count()>0', `${tasks('count(*)', 'x.effort > 4')} > 0`],
    ['tasks.Select({e:effort}).Any(e>4)', `${tasks('count(*)', 'x.effort > 4')} > 0`],
    ['tasks.first().name.startsWith("Write")', `${tasks('(array_agg(x.name order by x.id desc))[1]')} like 'Write%'`],
    ['tasks.orderBy(effort).thenByDescending(id).first().effort>2', `${tasks('min(x.effort)')} > 2`],
    [
      'feature.userStories.count()>8',
      '(select count(*) from general o where o.entity_type_id = 4 and o.feature_id = g.feature_id and o.delete_date is null) > 8',
    ],
    [
      'TagObjects.Count(Name=="reporting")>0',
      "exists (select 1 from general_tag t join tag on tag.id = t.tag_id where t.general_id = g.id and lower(tag.name) = 'reporting')",
    ],
    [
      'tags.contains("reporting")',
      "exists (select 1 from general_tag t join tag on tag.id = t.tag_id where t.general_id = g.id and lower(tag.name) like '%reporting%')",
    ],
    [
      'tagObjects.select(name).contains("reporting")',
      "exists (select 1 from general_tag t join tag on tag.id = t.tag_id where t.general_id = g.id and lower(tag.name) = 'reporting')",
    ],
    ['Risk=="high"', "g.custom_values ->> 'Risk' = 'High'"],
    ['CustomValues["Risk"]=="High"', "g.custom_values ->> 'Risk' = 'High'"],
    ['CustomValues.Text("Risk")!="High"', "g.custom_values ->> 'Risk' is distinct from 'High'"],
    ['Risk==null', "g.custom_values ->> 'Risk' is null"],
    ['ReleaseNotes.Contains("news of")', "g.custom_values ->> 'Release Notes' ilike '%news of%'"],
    ['CustomValues["No such field"]==null', 'true'],
    ['IIF(effort>8,"big","small")=="big"', 'g.effort > 8'],
    ['(effort>8 ? 1 : 2)==1', 'g.effort > 8'],
    ['IFNONE(feature.name,"none")=="none"', 'g.feature_id is null'],
    ['effort/2>5', 'g.effort / 2 > 5'],
    ['effort/0==null', 'true'],
    ['id/2>600.4', 'g.id / 2.0 > 600.4'],
    ['effort*2-timeSpent>=4+1', 'g.effort * 2 - g.time_spent >= 5'],
    ['-effort< -8', 'g.effort > 8'],
    ['2+3*2==8', 'true'],
    ['(2+3)*2==10', 'true'],
    ['1e1==10 and 2.5f==2.5', 'true'],
    ['"it\'s"==\'it\\\'s\' and "a""b"==\'a"b\'', 'true'],
    ['name+" "+id=="Show shared links on small screens 1241"', 'g.id = 1241'],
    ['name & "!"=="x!"', 'false'],
    ['name.Length>40', 'char_length(g.name) > 40'],
    ['name.Substring(0,4).ToUpper()=="SHOW"', "g.name ilike 'show%'"],
    ['name.Replace("shared","x").IndexOf("x")==5', "strpos(lower(replace(g.name, 'shared', 'x')), 'x') = 6"],
    ['name.Trim().ToLower()==name', 'true'],
    ['description.ToPlainText().StartsWith("explain")', "g.description ilike '<div>explain%'"],
    ['SafeConvert.ToInt(name)==null', 'true'],
    ['SafeConvert.ToDateTime("2026-02-30")==null and SafeConvert.ToDateTime("2026-02-28")<Today', 'true'],
    ['Convert.ToInt32("12")==12 and Convert.ToString(id)=="1241"', 'g.id = 1241'],
    ['Convert.ToDecimal("1.50")==1.5 and Convert.ToBoolean("true")', 'true'],
    ['Math.Round(effort/3,1)==2.7', 'round(g.effort / 3, 1) = 2.7'],
    ['Math.Abs(-effort)==effort and Math.Pi>3.14', 'true'],
    ['Math.Max(effort,10)==10', 'g.effort <= 10'],
    ['null==null', 'true'],
    ['true', 'true'],
    [
      'owner.firstName=="Liam" and owner.lastName.contains("neill")',
      "(select u.first_name || u.last_name from general_user u where u.id = g.owner_id) = 'LiamO''Neill'",
    ],
    ['owner==creator', 'g.owner_id is not null'],
    ['project==feature.project', 'g.project_id = (select f.project_id from general f where f.id = g.feature_id)'],
    [
      'assignedUser.count(id==5)>0',
      'exists (select 1 from assignment a where a.assignable_id = g.id and a.general_user_id = 5)',
    ],
    [
      'comments.any(owner.login=="chloe")',
      "exists (select 1 from comment c join general_user u on u.id = c.owner_id where c.general_id = g.id and u.login = 'chloe')",
    ],
    ['it.id==1241 and it.as<UserStory>.id==1241', 'g.id = 1241'],
    ['entityType.name.value=="UserStory" and effort.hasValue', 'true'],
  ])('%s', async (where, condition) => {
    const { items } = await asked('UserStory', { where, select: 'id', take: '1000' });
    expect(items).toEqual(await idsOf(condition));
  });

  it('casts see one kind in a mixed list', async () => {
    const bugs = await asked('Assignable', { where: 'it.as<Bug>.severity!=null', select: 'id', take: '1000' });
    expect(bugs.items).toEqual(await idsOf('g.severity_id is not null', 8));
    const rows = await app.rows(
      'select id, entity_type_id kind, (select f.name from general f where f.id = g.feature_id) feature from general g where entity_type_id in (4, 8) and delete_date is null and g.id > 1240 order by id desc',
    );
    const { items } = await asked('Assignable', {
      where: 'id>1240 and entityType.name in ["UserStory","Bug"]',
      select: '{id,f:it.as<UserStory>.feature.name}',
      take: '1000',
    });
    expect(items).toEqual(rows.map(({ id, kind, feature: f }) => (kind === 4 && f !== null ? { id, f } : { id })));
  });

  it('ends of relations can be told by their kind', async () => {
    const { items } = await asked('Relation', {
      where: 'SlaveBug.Name!=null',
      select: '{id,MasterUserStory.Name as from}',
      take: '1000',
    });
    const rows =
      await app.rows(`select r.id, case when m.entity_type_id = 4 then m.name end as from from relation r join general m on m.id = r.master_id join general s on s.id = r.slave_id
      where s.entity_type_id = 8 and m.delete_date is null and s.delete_date is null order by r.id desc`);
    expect(rows.length).toBeGreaterThan(0);
    expect(items).toEqual(rows.map(({ id, from }) => (from === null ? { id } : { id, from })));
  });

  it.each([
    ['InPast(2)', 'end_date', '<', 'desc', 2],
    ['InFuture(1)', 'start_date', '>', 'asc', 1],
  ])('the nearest time boxes: %s', async (where, column, sign, order, count) => {
    const rows =
      await app.rows(`select id from (select id, row_number() over (partition by project_id order by ${column} ${order}) as n from general
      where entity_type_id = 2 and delete_date is null and ${column} ${sign} now()) x where n <= ${count} order by id desc`);
    expect(rows.length).toBeGreaterThan(0);
    expect((await asked('Release', { where, select: '{id}', take: '1000' })).items).toEqual(rows);
  });

  it.each(['IsCurrent', 'IsPrevious', 'IsNext', 'IsCurrent()', 'isCurrent==true'])('%s of releases', async (where) => {
    const { items } = await asked('Release', { where, select: '{id,c:IsCurrent,p:IsPrevious,n:IsNext}' });
    const flag = where.slice(2, 3).toLowerCase();
    for (const one of items) expect(one[flag]).toBe(true);
  });
});

describe('a word behind is', () => {
  const idsBy = async (parameters: Record<string, string>, entity: string): Promise<number[]> =>
    (await asked(entity, { ...parameters, select: 'id', take: '1000' })).items;

  it.each([
    ['Release', 'it is Current', 'isCurrent'],
    ['UserStory', 'release is current', 'release.isCurrent'],
    ['UserStory', 'release is not CURRENT', 'not release.isCurrent'],
    ['UserStory', '(teamIteration is Current)', 'teamIteration.isCurrent'],
    [
      'UserStory',
      'teamIteration is Current or teamIteration is Future',
      'teamIteration.isCurrent or teamIteration.isNext',
    ],
    ['UserStory', 'teamIteration is next', 'teamIteration.isNext'],
    ['UserStory', 'teamIteration is previous', 'teamIteration.isPrevious'],
    ['UserStory', 'teamIteration is past', 'teamIteration.isPrevious'],
    ['UserStory', 'release is now', 'release.isNow'],
    ['Task', 'userStory.release is not past', 'not userStory.release.isPrevious'],
    ['Project', 'releases.any(id==85 and it is Next)', 'releases.any(id==85 and isNext)'],
    ['UserStory', 'teamIteration is none', 'teamIteration is null'],
    ['UserStory', 'teamIteration is not None', 'teamIteration is not null'],
    ['UserStory', 'Risk is none', 'Risk is null'],
    ['UserStory', 'tasks is none', 'tasks is null'],
  ])('%s: %s', async (entity, word, meaning) => {
    const expected = await idsBy({ where: meaning }, entity);
    const all = await idsBy({}, entity);
    expect(expected.length).toBeGreaterThan(0);
    expect(expected.length).toBeLessThan(all.length);
    expect(await idsBy({ where: word }, entity)).toEqual(expected);
    expect(await idsBy({ filter: `?${word}` }, entity)).toEqual(expected);
  });

  it.each([
    'effort is current',
    'project is current',
    'release is currnt',
    'owner is next',
    'tasks is current',
  ])('%s is refused', async (where) => {
    const answer = await app.ask(`/api/v2/UserStory?${new URLSearchParams({ where })}`);
    expect([answer.status, answer.json.Message]).toEqual([
      400,
      expect.stringMatching(/^Property '\w+' does not exist/),
    ]);
  });
});

it('and or or may stand right behind a number, in both versions', async () => {
  const [one, other] = await idsOf('true');
  for (const [v1, v2] of [
    [`(Id eq ${one}or Id eq ${other})`, `id==${one}or id==${other}`],
    [`Id in (${one},${other})and (Id gt 0and(Id lt 9999999))`, `id in [${one},${other}] and id>0and(id<9999999)`],
  ] as const) {
    expect((await asked('UserStory', { where: v2, select: 'id' })).items).toEqual([one, other]);
    const items = await app.items(`/api/v1/UserStories?${new URLSearchParams({ where: v1, include: '[Id]' })}`);
    expect(items.map(({ Id }) => Id)).toEqual([one, other]);
  }
});

describe('select', () => {
  const id = 1241;
  /** The stories of the same feature, the latest first. */
  const siblings = (limit: number): string =>
    `(select * from general o where o.entity_type_id = 4 and o.feature_id = g.feature_id and o.delete_date is null order by o.id desc limit ${limit})`;
  /** Their states, each once, at the latest that has it. */
  const statesOf = (limit: number): string =>
    `(select s.name as s, max(o.id) as id from ${siblings(99)} o join entity_state s on s.id = o.entity_state_id group by s.name order by 2 desc limit ${limit})`;
  it.each([
    ['{id,name}', `json_build_object('id', g.id, 'name', g.name)`],
    ['{ID,storyName:Name}', `json_build_object('id', g.id, 'storyName', g.name)`],
    ['new(id, name as title)', `json_build_object('id', g.id, 'title', g.name)`],
    ['{id,"überschrift":name}'.replaceAll('"', ''), `json_build_object('id', g.id, 'überschrift', g.name)`],
    ['name', 'to_json(g.name)'],
    ['{}', `'{}'::json`],
    ['{feature.name as a,feature.epic.name as b}', `json_build_object('a', ${feature}, 'b', ${epic})`],
    [
      '{project:{project.id,project.name}}',
      `json_build_object('project', (select json_build_object('id', p.id, 'name', p.name) from general p where p.id = g.project_id))`,
    ],
    [
      '{f:feature.select({id,up:epic.select({name})})}',
      `json_build_object('f', (select json_build_object('id', f.id, 'up', (select json_build_object('name', e.name) from general e where e.id = f.epic_id)) from general f where f.id = g.feature_id))`,
    ],
    [
      '{project}',
      `json_build_object('project', (select json_build_object('resourceType', 'Project', 'id', p.id, 'name', p.name) from general p where p.id = g.project_id))`,
    ],
    [
      '{entityState}',
      `json_build_object('entityState', (select json_build_object('resourceType', 'EntityState', 'id', s.id, 'name', s.name, 'numericPriority', s.numeric_priority) from entity_state s where s.id = g.entity_state_id))`,
    ],
    [
      '{tasks.count,tasks.sum(effort)}',
      `json_build_object('count', ${tasks('count(*)')}, 'sum', ${tasks('coalesce(sum(x.effort), 0)')})`,
    ],
    [
      '{a:tasks.select(name)}',
      `json_build_object('a', ${tasks("coalesce(json_agg(x.name order by x.id desc), '[]')")})`,
    ],
    [
      '{a:tasks.orderBy(name).select({id,n:name})}',
      `json_build_object('a', ${tasks("coalesce(json_agg(json_build_object('id', x.id, 'n', x.name) order by x.name, x.id), '[]')")})`,
    ],
    [
      '{a:tasks.where(effort>2).orderByDescending(effort).take(2).select(id)}',
      `json_build_object('a', (select coalesce(json_agg(id), '[]') from (select x.id from general x where x.user_story_id = g.id and x.entity_type_id = 5 and x.delete_date is null and x.effort > 2 order by x.effort desc, x.id desc limit 2) y))`,
    ],
    [
      '{a:tasks.select(entityState.name).distinct().count()}',
      `json_build_object('a', ${tasks('count(distinct x.entity_state_id)')})`,
    ],
    [
      '{a:tasks.select(effort).distinct().orderBy(it)}',
      `json_build_object('a', ${tasks("coalesce(json_agg(distinct x.effort order by x.effort), '[]')")})`,
    ],
    [
      '{a:tasks.take(1).sum(effort),b:tasks.max(effort),c:tasks.min(name),d:tasks.any(),e:tasks.all(id>0)}',
      `json_build_object('a', (select x.effort from general x where x.user_story_id = g.id and x.entity_type_id = 5 and x.delete_date is null order by x.id desc limit 1), 'b', ${tasks('max(x.effort)')}, 'c', ${tasks('min(x.name)')}, 'd', true, 'e', true)`,
    ],
    [
      '{a:tasks}',
      `json_build_object('a', json_build_object('items', ${tasks("coalesce(json_agg(json_build_object('resourceType', 'Task', 'id', x.id, 'name', x.name) order by x.id desc), '[]')")}))`,
    ],
    [
      '{a:tasks.first(),b:tasks.first().id,c:tasks.select({id}).first(),d:tasks.first(id<0)}',
      `(select json_build_object('a', json_build_object('resourceType', 'Task', 'id', x.id, 'name', x.name), 'b', x.id, 'c', json_build_object('id', x.id)) from general x where x.user_story_id = g.id and x.entity_type_id = 5 and x.delete_date is null order by x.id desc limit 1)`,
    ],
    [
      '{a:feature.userStories.select(tasks.count()).sum()}',
      `json_build_object('a', (select count(*) from general x join general s on s.id = x.user_story_id where s.feature_id = g.feature_id and s.entity_type_id = 4 and x.entity_type_id = 5 and x.delete_date is null and s.delete_date is null))`,
    ],
    [
      '{a:feature.userStories.take(4).where(effort>5).select(id),b:feature.userStories.take(4).where(effort>5).sum(effort)}',
      `(select json_build_object('a', json_agg(o.id order by o.id desc), 'b', sum(o.effort)) from ${siblings(4)} o where o.effort > 5)`,
    ],
    [
      '{a:feature.userStories.orderBy(name).skip(1).take(3).orderByDescending(effort).select(id),b:feature.userStories.take(3).skip(1).select(id)}',
      `json_build_object('a', (select json_agg(o.id order by o.effort desc, o.id desc) from (select * from ${siblings(99)} o order by o.name offset 1 limit 3) o),
        'b', (select json_agg(o.id order by o.id desc) from (select * from ${siblings(3)} o offset 1) o))`,
    ],
    [
      '{a:feature.userStories.take(4).all(effort>0),b:feature.userStories.take(2).any(effort<0),c:feature.userStories.take(0).first(),d:feature.userStories.skip(2).first(effort>0).id,e:feature.userStories.take(4).where(effort>5).take(1).count()}',
      `json_build_object('a', (select bool_and(o.effort > 0) from ${siblings(4)} o), 'b', false, 'd', (select o.id from (select * from ${siblings(99)} o offset 2) o where o.effort > 0 limit 1), 'e', 1)`,
    ],
    [
      '{a:feature.userStories.select(entityState.name).distinct().select(it.length),b:feature.userStories.select(entityState.name).distinct().take(2).where(it!="Open"),c:feature.userStories.select(effort).distinct().sum(it*2)}',
      `json_build_object('a', (select json_agg(char_length(d.s) order by d.id desc) from ${statesOf(99)} d),
        'b', (select json_agg(d.s order by d.id desc) from ${statesOf(2)} d where d.s <> 'Open'),
        'c', (select sum(distinct o.effort) * 2 from ${siblings(99)} o))`,
    ],
    [
      '{a:feature.userStories.select({entityState.name}).distinct().take(2).select(name),b:feature.userStories.select(entityState).distinct().take(2).select(name),c:feature.userStories.distinct().count(),d:feature.userStories.select(entityState).distinct().skip(1).first().name}',
      `json_build_object('a', (select json_agg(d.s order by d.id desc) from ${statesOf(2)} d), 'b', (select json_agg(d.s order by d.id desc) from ${statesOf(2)} d),
        'c', (select count(*) from ${siblings(99)} o), 'd', (select d.s from ${statesOf(2)} d order by d.id limit 1))`,
    ],
    [
      '{a:IIF(effort>5,feature,null),b:IFNONE(feature.epic,feature).name,c:IIF(effort<0,feature,it).id,d:IIF(true,owner,creator).login,e:IIF(effort<0,build,null)==null,f:IIF(effort>0,feature,feature).userStories.count()}',
      `json_build_object('a', (select json_build_object('resourceType', 'Feature', 'id', f.id, 'name', f.name) from general f where f.id = g.feature_id),
        'b', ${epic}, 'c', g.id, 'd', (select u.login from general_user u where u.id = g.owner_id), 'e', true, 'f', (select count(*) from ${siblings(99)} o))`,
    ],
    [
      '{a:IIF(effort>5,{id,x:1},{name}),b:(effort<5 ? {id} : effort>6 ? {big:true} : {})}',
      `json_build_object('a', json_build_object('id', g.id, 'x', 1), 'b', json_build_object('big', true))`,
    ],
    [
      '{a:SafeConvert.ToIntArray("1, 2,x"),b:SafeConvert.ToIntArray("1,1241").contains(id),c:SafeConvert.ToDecimalArray("2.5,1").sum(),d:SafeConvert.ToStringArray("b, a").orderBy(it),e:SafeConvert.ToIntArray("3,2,1,3").distinct().take(2).where(it<3).select({n:it,m:it*2}),f:SafeConvert.ToBooleanArray("true,no"),g:SafeConvert.ToDateTimeArray("2026-01-01").first().year,h:SafeConvert.ToIntArray("").count()}',
      `'{"a":[1,2,null],"b":true,"c":3.5,"d":["a","b"],"e":[{"n":2,"m":4}],"f":[true,null],"g":2026,"h":0}'::json`,
    ],
    [
      '{a:Guid.Empty,b:Guid.Parse("{A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11}"),c:Guid.NewGuid().length,d:DateTime.Parse("2026-"+"01-31").day}',
      `'{"a":"00000000-0000-0000-0000-000000000000","b":"a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11","c":36,"d":31}'::json`,
    ],
    [
      '{createDate,y:createDate.year,d:createDate.addDays(1)}',
      `json_build_object('createDate', ${ms('g.create_date')}, 'y', extract(year from g.create_date), 'd', ${ms("g.create_date + interval '1 day'")})`,
    ],
    [
      '{a:IIF(effort>1,1,2.5),b:IFNONE(endDate,Today)==null,c:not entityState.isFinal,d:effort>3}',
      `json_build_object('a', 1, 'b', false, 'c', not ${state('is_final')}, 'd', g.effort > 3)`,
    ],
    ['{a:"x"+1+true,b:1/4,c:1/0,d:null,e:3*2-1}', `'{"a":"x1True","b":0.25,"e":5}'::json`],
    [
      '{a:DateTime.Parse("2026-03-02T01:02:03")-DateTime.Parse("2026-03-01"),b:DateTime.Parse("2026-03-01")-DateTime.Parse("2026-03-01T00:00:05")}',
      `'{"a":"1.01:02:03","b":"-00:00:05"}'::json`,
    ],
    [
      '{Risk,CustomValues["Risk"],r:CustomValues.Get("Risk")}'.replace('CustomValues["Risk"],', ''),
      `json_build_object('risk', g.custom_values -> 'Risk', 'r', json_strip_nulls(json_build_object('name', 'Risk', 'type', 'DropDown', 'entityKind', 'UserStory', 'value', g.custom_values -> 'Risk')))`,
    ],
    ['{a:GetType}'.replace('GetType', 'resourceType'), `'{"a":"UserStory"}'::json`],
    [
      '{history.count as a}',
      `json_build_object('a', (select count(*) from simple_history h where h.general_id = g.id))`,
    ],
  ])('%s', async (select, expected) => {
    const { items } = await asked(`UserStory/${id}`, { select });
    const [row] = await app.rows(
      `select json_strip_nulls((${expected})::json) as told from general g where ${stories} and g.id = ${id}`,
    );
    expect(items).toEqual([row.told]);
  });

  it('three levels of collections', async () => {
    const select =
      '{id,name,features:features.select({id,name,stories:userstories.where(entityState.isFinal==false).select({id,name,tasks:tasks.count()})})}';
    const rows =
      await app.rows(`select e.id, e.name, (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'stories',
        (select coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'tasks', ${tasks('count(*)')}) order by g.id desc), '[]') from general g
          where ${stories} and g.feature_id = f.id and not ${state('is_final')})) order by f.id desc), '[]') from general f
        where f.entity_type_id = 9 and f.delete_date is null and f.epic_id = e.id) as features
      from general e where e.entity_type_id = 27 and e.delete_date is null order by e.id desc limit 25`);
    expect(rows.length).toBeGreaterThan(3);
    expect((await asked('Epic', { select, take: '25' })).items).toEqual(rows);
  });

  it('custom fields of every type are told as values of their own', async () => {
    const { items } = await asked('UserStory', { select: '{id,customvalues}', take: '5' });
    const old = await app.items('/api/v1/UserStories?include=[Id,CustomFields]&orderByDesc=Id&take=5');
    for (const [index, { customValues }] of items.entries()) {
      const fields = old[index].CustomFields.map(({ Name, Type, Value }: Record<string, unknown>) =>
        Value === null ? { name: Name, type: Type } : { name: Name, type: Type, value: Value },
      );
      expect(customValues).toEqual({ customFields: fields });
    }
  });
});

describe('orderBy', () => {
  it.each([
    ['name', 'g.name, g.id'],
    ['effort desc, name', 'g.effort desc, g.name, g.id'],
    ['project.name, id desc', `${name('general', 'project_id')}, g.id desc`],
    ['project, id', `${name('general', 'project_id')}, g.id`],
    ['feature.name desc', `${feature} desc nulls last, g.id desc`],
    ['tasks.count() desc, name', `${tasks('count(*)')} desc, g.name, g.id`],
    ['tasks.max(effort)', `${tasks('max(x.effort)')} nulls first, g.id`],
    ['effort*-1', 'g.effort * -1, g.id'],
    ['createDate descending', 'g.create_date desc, g.id desc'],
    ['id', 'g.id'],
  ])('%s', async (orderBy, order) => {
    const rows = await app.rows(`select id from general g where ${stories} order by ${order} limit 60`);
    expect((await asked('UserStory', { orderBy, select: '{id}', take: '60' })).items).toEqual(rows);
  });

  it('orderByDesc turns it round', async () => {
    const rows = await app.rows(`select id from general g where ${stories} order by g.name desc, g.id desc limit 9`);
    expect((await asked('UserStory', { orderByDesc: 'name', select: '{id}', take: '9' })).items).toEqual(rows);
  });
});

describe('result', () => {
  it.each([
    ['count', 'count(*)'],
    ['Count()', 'count(*)'],
    ['Sum(effort)', 'sum(g.effort)'],
    ['average(effort)', 'avg(g.effort)::float8'],
    ['max(createDate)', ms('max(g.create_date)')],
    [
      '{sum:sum(effort),count,n:count(effort>8)}',
      `json_build_object('sum', sum(g.effort), 'count', count(*), 'n', count(*) filter (where g.effort > 8))`,
    ],
    [
      '{a:where(effort>8).average(effort),b:select(effort).distinct().count(),c:sum(effort)/count,d:any(effort>1000),e:all(effort>=0)}',
      `json_build_object('a', (avg(g.effort) filter (where g.effort > 8))::float8, 'b', count(distinct g.effort), 'c', (sum(g.effort) / count(*))::float8, 'd', bool_or(g.effort > 1000), 'e', bool_and(g.effort >= 0))`,
    ],
    [
      '{a:sum(tasks.sum(effort)),b:max(tasks.count())}',
      `json_build_object('a', sum(${tasks('coalesce(sum(x.effort), 0)')}), 'b', max(${tasks('count(*)')}))`,
    ],
  ])('%s', async (result, expected) => {
    for (const [where, condition] of [
      ['id>0', 'true'],
      ['entityState.isFinal==false', `not ${state('is_final')}`],
    ] as const) {
      const [row] = await app.rows(
        `select to_json(${expected}) as told from general g where ${stories} and ${condition}`,
      );
      const answer = await asked('UserStory', { result, where, take: '1' });
      const rounded = (value: unknown): unknown =>
        JSON.parse(JSON.stringify(value), (_, one) => (typeof one === 'number' ? Math.round(one * 1e9) / 1e9 : one));
      expect(rounded(answer)).toEqual(rounded(row.told));
    }
  });

  it('of nothing: no count, no sum, and nothing else', async () => {
    const where = 'id<0';
    expect(await asked('UserStory', { where, result: 'count' })).toBe(0);
    expect(await asked('UserStory', { where, result: 'sum(effort)' })).toBe(0);
    expect(await asked('UserStory', { where, result: 'max(effort)' })).toBe(null);
    expect(await asked('UserStory', { where, result: '{count,average(effort),min(name)}' })).toEqual({ count: 0 });
  });
});

describe('groupBy', () => {
  it('reckons for each value of a key', async () => {
    const rows = await app.rows(
      `select ${state('name')} as name, count(*)::int as count, sum(g.effort)::float8 as sum from general g where ${stories} group by 1 order by 1`,
    );
    expect((await asked('UserStory', { groupBy: 'entityState.name', result: '{count,sum(effort)}' })).items).toEqual(
      rows,
    );
    expect((await asked('UserStory', { groupBy: 'entityState.name' })).items).toEqual(
      rows.map(({ name: n, count }) => ({ name: n, count })),
    );
  });

  it('by several keys, by expressions, filtered, in pages', async () => {
    const rows =
      await app.rows(`select ${name('general', 'project_id')} as project, extract(year from g.create_date)::int as year, max(g.effort)::float8 as top from general g
      where ${stories} and g.effort > 3 group by 1, 2 order by 1, 2`);
    const parameters = {
      groupBy: 'project:project.name,createDate.year',
      result: '{top:max(effort)}',
      where: 'effort>3',
    };
    const first = await asked('UserStory', { ...parameters, take: '2' });
    expect(first.items).toEqual(rows.slice(0, 2));
    const answer = await app.ask(first.next.replace(app.base, ''));
    expect(answer.json.items).toEqual(rows.slice(2, 4));
    expect((await asked('UserStory', { ...parameters, take: '1000' })).next).toBeUndefined();
    const inBraces = { ...parameters, groupBy: `{${parameters.groupBy}}`, take: '1000' };
    expect((await asked('UserStory', inBraces)).items).toEqual(rows);
  });

  it.each([
    ['count desc,state', 'count desc, state'],
    ['state.length*-1,state desc', 'char_length(state) * -1, state desc'],
    ['top desc', 'top desc, state'],
    ['IIF(state=="Open",1,0) desc,sum', "state = 'Open' desc, sum"],
  ])('in the order of %s', async (orderBy, order) => {
    const rows =
      await app.rows(`select * from (select ${state('name')} as state, count(*)::int as count, sum(g.effort)::float8 as sum, max(g.effort)::float8 as top
      from general g where ${stories} group by 1) x order by ${order}`);
    const parameters = { groupBy: 'state:entityState.name', result: '{count,sum(effort),top:max(effort)}', orderBy };
    expect((await asked('UserStory', parameters)).items).toEqual(rows);
    const { next, items } = await asked('UserStory', { ...parameters, take: '1' });
    expect(items).toEqual(rows.slice(0, 1));
    expect((await app.ask(next.replace(app.base, ''))).json.items).toEqual(rows.slice(1, 2));
  });

  it('what has no key is a group, too', async () => {
    const { items } = await asked('UserStory', { groupBy: 'f:feature.epic.name' });
    const [{ count }] = await app.rows(`select count(*)::int from general g where ${stories} and ${epic} is null`);
    expect(items[0]).toEqual({ count });
  });
});
