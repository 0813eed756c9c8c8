/** Long answers, and clients that do not read them. */
import { head, inTurn, times, v1, v2 } from '../requests.mjs';
import { asking, sipping, vanishing } from '../shapes.mjs';

const project = (fixture) => `(Project.Id eq ${fixture.project})`;

const longAnswers = [
  (fixture) =>
    v1('Projects', { include: '[UserStories[Description]]', innerTake: '1000', where: `(Id eq ${fixture.project})` }),
  (fixture) => v1('UserStories', { include: '[Description]', take: '40', orderBy: 'Id', where: project(fixture) }),
  (fixture) =>
    v1('UserStories', { include: '[Description]', take: '30', orderBy: 'Id', where: project(fixture), format: 'xml' }),
  (fixture) => v1(`UserStories/${fixture.stories[0]}`, { include: '[Comments[Description]]', innerTake: '3' }),
  (fixture) => v2('Project', { where: `id==${fixture.project}`, select: '{userStories.select({id,description})}' }),
  (fixture) =>
    v2('UserStory', {
      where: `project.id==${fixture.project}`,
      select: '{id,a:description,b:description}',
      orderBy: 'id',
    }),
];

/** Some 16 MiB. */
const long = (fixture) =>
  v1('UserStories', { include: '[Description]', take: '15', orderBy: 'Id', where: project(fixture) });
const asked = (fixture) => head('GET', long(fixture), fixture.headers);

/** Some 18 MB of JSON, most of it numbers in long cells. */
const table = (fixture) =>
  v2('UserStory', {
    where: `project.id==${fixture.project}`,
    select: `{x:project.userStories.select({${Array.from({ length: 60 }, (_, at) => `m${at}:id`)}})}`,
    take: '80',
    format: 'csv',
  });

/** One item that holds the same long text many times, and its page. */
const texts = (count) => `{${times(count, (at) => `d${at}:description`, ',')}}`;
const longItems = [
  ({ stories }) => v2('UserStory', { where: `id==${stories[0]}`, select: texts(15) }),
  ({ stories }) => v2('UserStory', { where: `id==${stories[0]}`, select: texts(4) }),
  ({ stories }) => v2('UserStory', { where: `id==${stories[0]}`, select: texts(4), format: 'csv' }),
  ({ stories }) => v2('UserStory', { where: `id==${stories[0]}`, select: `{comments.take(1).select(${texts(15)})}` }),
  ({ stories }) => `/entity/${stories[0]}`,
];

export default [
  {
    name: 'long-answers',
    row: 'D14',
    what: 'lists and nested descriptions of 1 MiB each, 16 clients',
    attack: (fixture) => asking(16, (at) => ({ path: inTurn(longAnswers, at)(fixture), headers: fixture.headers })),
  },
  {
    name: 'long-items',
    row: 'D14',
    what: 'items of many descriptions of 1 MiB, in JSON, CSV and as a page, 4 clients',
    attack: (fixture) => asking(4, (at) => ({ path: inTurn(longItems, at)(fixture), headers: fixture.headers })),
  },
  {
    name: 'long-tables',
    row: 'D16',
    what: 'tables of many long cells, 8 clients',
    attack: (fixture) => asking(8, () => ({ path: table(fixture), headers: fixture.headers })),
  },
  {
    name: 'slow-readers',
    row: 'E24',
    what: '60 readers of 16 MiB that take a byte at a time',
    attack: (fixture) => sipping(60, asked(fixture), 20),
  },
  {
    name: 'vanishing',
    row: 'E5',
    what: '40 clients that are gone in mid-answer',
    attack: (fixture) => vanishing(40, asked(fixture)),
  },
];
