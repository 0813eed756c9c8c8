/** Requests that cost the database or the planning of a statement. */
import { inTurn, times, v1, v2 } from '../requests.mjs';
import { asking } from '../shapes.mjs';

/**
 * A member asks these in turn. Each is called with the number of the request, so that it can differ from all before.
 */
const asks =
  (clients, paths) =>
  ({ headers, ...fixture }) =>
    asking(clients, (at) => ({ path: inTurn(paths, at)(Math.floor(at / paths.length), fixture), headers }));

/** Operators by the bits of a number: statements of ever new texts. */
const operator = (number, bit, [one, other]) => ((number >> (bit % 30)) & 1 ? one : other);

const deepPaths = [
  () => v2('UserStory', { where: `${times(300, () => 'project.')}name=='x'` }),
  () => v2('UserStory', { select: `{x:${times(900, () => 'project.')}name}` }),
  () => v2('UserStory', { where: `${times(11, () => 'feature.userStories.first().')}name=='x'` }),
  () => v1('UserStories', { where: `${times(300, () => 'Project.')}Name eq 'x'` }),
  (at) => v2('UserStory', { where: `${times(9, () => 'project.')}name!='${at}'`, select: `{id,n${at}:name}` }),
  (at) => v1('UserStories', { where: `(${times(9, () => 'Project.')}Name ne '${at}')`, skip: String(at) }),
];

const wideFilters = [
  (at) =>
    v1('UserStories', {
      where: times(22, (n) => `(${times(9, () => 'Project.')}Name ${operator(at, n, ['ne', 'gt'])} '${n}')`, 'and'),
    }),
  (at) =>
    v1('UserStories', {
      where: times(24, (n) => `(Feature.Epic.Project.Program.Name ${operator(at, n, ['eq', 'lt'])} '${n}')`, 'or'),
    }),
  (at) =>
    v1('UserStories', {
      where: times(60, (n) => `(Feature.Bugs.Name ${operator(at, n, ['eq', 'lt'])} '${n}')`, 'or'),
    }),
  () => v1('UserStories', { where: times(60, (n) => `(${times(9, () => 'Project.')}Name eq '${n}')`, 'and') }),
];

const wideSelects = [
  () => v2('UserStory', { select: `{${times(200, (n) => `c${n}:customValues`, ',')}}` }),
  (at) => v2('UserStory', { select: `{${times(6, (n) => `c${at}_${n}:customValues`, ',')}}` }),
  (at) => v2('UserStory', { select: `{${times(110, (n) => `b${at}_${n}:bugs`, ',')}}` }),
  (at) => v2('UserStory', { select: `{${times(110, (n) => `f${at}_${n}:feature`, ',')}}` }),
  (at) => v1('Assignables', { include: `[${everything}]`, skip: String(at) }),
];
const everything =
  'Project[Process,Program],Release,Iteration,EntityState,Priority,Owner,Times,Comments,Assignments,Attachments,TagObjects';

const names = [
  'Project',
  'Feature',
  'Release',
  'Iteration',
  'EntityState',
  'Owner',
  'Team',
  'Priority',
  'Tasks',
  'Bugs',
];
const differentRequests = [
  (at) => v1('UserStories', { take: String(1 + (at % 1000)), include: '[Id]' }),
  (at) => v1('UserStories', { include: `[${['Id', ...names.filter((_, bit) => (at >> bit) & 1)]}]`, take: '2' }),
  (at) => v2('UserStory', { where: `id!=${at} and name!='${at}'`, select: `{id,n${at}:name}`, take: '2' }),
  (at) => v1('UserStories', { include: '[Tasks]', innerTake: '1', innerSkip: String(at), take: '2' }),
];

const heavy = [
  (at) => v2('UserStory', { where: `project.userStories.count(tasks.count()>${at + 100})>1000`, select: 'id' }),
  (at) => v2('UserStory', { where: `description.contains('no such text ${at}')`, select: 'id' }),
  (at) => v1('Generals', { where: `(Description contains 'no such text ${at}')`, orderBy: 'Name' }),
  (at) => v2('UserStory', { result: `{sum(project.userStories.sum(effort+${at}))}` }),
];

const text = (length, at) => `${at}${'ä"\\'.repeat(length)}`.slice(0, length).replaceAll(/["\\]/g, 'x');
const longTexts = [
  (at) => v2('UserStory', { where: `name=='${text(2400, at)}'`, select: 'id' }),
  (at) => v2('UserStory', { select: `{id,x:name+'${text(2400, at)}'}`, take: '1000' }),
  (at) => v2('UserStory', { where: `(name+'${text(2000, at)}').toUpper().contains('${text(300, at)}')`, take: '1000' }),
  (at) => v2('UserStory', { select: `{${times(40, (n) => `x${n}:name+'${text(50, at)}'`, ',')}}`, take: '1000' }),
];

const sum = (at) => times(60, (n) => `effort*${n + at}`, '+');
const groups = [
  (at) => v2('UserStory', { groupBy: times(20, (n) => `g${at}_${n}:feature.epic.project.name`, ','), result: 'count' }),
  (at) => v2('UserStory', { orderBy: sum(at), take: '1000', select: 'id' }),
  (at) => v2('UserStory', { groupBy: `g:${sum(at)}`, result: `{count,sum(${sum(at)})}` }),
  (at) =>
    v2('UserStory', {
      orderBy: `${times(10, (n) => `feature.userStories.count(id>${n + at})`, ',')}`,
      take: '1000',
      select: 'id',
    }),
];

const appended = ['Count', 'Effort-Sum', 'Effort-Avg', 'Effort-Min', 'Effort-Max', 'EffortToDo-Sum', 'TimeSpent-Sum'];
const appends = [
  (at) =>
    v1('Projects', {
      append: numbers(['UserStories', 'Bugs', 'Tasks', 'Features', 'Requests']),
      take: '100',
      skip: String(at % 20),
    }),
  (at) => v1('UserStories', { append: numbers(['Tasks', 'Bugs']), take: '1000', skip: String(at) }),
  (at) => v1('Features', { append: numbers(['UserStories', 'Bugs']), take: '1000', skip: String(at) }),
];
const numbers = (collections) => `[${collections.flatMap((name) => appended.map((number) => `${name}-${number}`))}]`;

const joined = (count) => times(count, () => 'description', '+');
const ofSiege = ({ project }) => `project.id==${project}`;
const longExpressions = [
  (_, { stories }) => v2('UserStory', { where: `id==${stories[0]}`, select: `{d:${joined(8)}}` }),
  (_, { stories }) => v2('UserStory', { where: `id==${stories[0]}`, select: `{d:(${joined(30)}).length()}` }),
  (_, { stories }) =>
    v2('UserStory', {
      where: `id==${stories[1]}`,
      select: `{${times(19, (n) => `d${n}:description.toPlainText().length()`, ',')}}`,
    }),
  (_, { stories }) =>
    v2('UserStory', {
      where: `id==${stories[1]}`,
      select: `{${times(39, (n) => `d${n}:description.indexOf('${n}')`, ',')}}`,
    }),
  (_, fixture) =>
    v2('UserStory', {
      where: ofSiege(fixture),
      groupBy: times(20, (n) => `k${n}:description+'${n}'`, ','),
      result: 'count',
    }),
  (_, fixture) =>
    v2('UserStory', { where: ofSiege(fixture), orderBy: times(10, (n) => `description+'${n}'`, ','), select: 'id' }),
  (_, fixture) => v2('UserStory', { where: ofSiege(fixture), groupBy: 'description', result: 'count', take: '1' }),
];

export default [
  { name: 'deep-paths', row: 'E21', what: 'paths of 10 to 900 names, version 1 and 2', attack: asks(16, deepPaths) },
  {
    name: 'wide-filters',
    row: 'E21',
    what: '22 to 60 conditions on long paths, ever new',
    attack: asks(16, wideFilters),
  },
  {
    name: 'wide-selects',
    row: 'E21',
    what: 'many customValues, collections, references',
    attack: asks(16, wideSelects),
  },
  {
    name: 'skip-walk',
    row: 'E22',
    what: 'skip=0…299 at take=1, 12 clients',
    attack: asks(12, [(at) => v1('UserStories', { skip: String(at % 300), take: '1' })]),
  },
  { name: 'different', row: 'E22', what: 'requests that all differ', attack: asks(16, differentRequests) },
  { name: 'heavy-10', row: 'E24', what: 'heavy queries of one user, 10 at once', attack: asks(10, heavy) },
  { name: 'heavy-100', row: 'E24', what: 'heavy queries of one user, 100 at once', attack: asks(100, heavy) },
  { name: 'long-texts', row: 'B5', what: 'texts of 16 KiB in version 2', attack: asks(16, longTexts) },
  { name: 'groups', row: 'E21', what: 'groups and orders by long expressions', attack: asks(16, groups) },
  { name: 'appends', row: 'B27', what: 'many appended numbers on long pages', attack: asks(16, appends) },
  {
    name: 'long-expressions',
    row: 'E21',
    what: 'descriptions of 1 MiB joined, searched, grouped and sorted by, 4 clients',
    attack: asks(4, longExpressions),
  },
];
