/** Bodies: long, slow, and of the worst shapes. */
import { head, inTurn, post, times } from '../requests.mjs';
import { asking, trickling } from '../shapes.mjs';

const most = 10 * 2 ** 20;
const stories = '/api/v1/UserStories?format=json';
const bulk = '/api/v1/UserStories/bulk?format=json';
const padded = (before, piece, after) =>
  before + piece.repeat((most - before.length - after.length) / Buffer.byteLength(piece)) + after;
const text = 'x'.repeat(2 ** 20);

/** Nine texts of 1 MiB; the last item is refused. */
const longItems = ({ project }) => {
  const item = (at) => ({ Name: `Long ${at}`, Project: { Id: project }, Description: text });
  return JSON.stringify([...Array.from({ length: 9 }, (_, at) => item(at)), { Nmae: 'x' }]);
};
/** 9,000 tasks in nine stories; a last one is refused. */
const manyItems = ({ project }) => {
  const tasks = Array.from({ length: 999 }, (_, at) => ({ Name: `Task ${at} ${'x'.repeat(200)}` }));
  const item = (at) => ({ Name: `Many ${at}`, Project: { Id: project }, Tasks: tasks });
  return JSON.stringify([...Array.from({ length: 9 }, (_, at) => item(at)), { Nmae: 'x' }]);
};

const jsons = [
  longItems,
  manyItems,
  () => `{"Tasks":[${'{},'.repeat(198_000)}{}]}`,
  () => `{${times(199_000, (at) => `"k${at}":1`, ',')}}`,
  () => '['.repeat(100_000),
  () => '{"a":'.repeat(100_000),
  () => padded('{', ' ', '}'),
  () => padded('{/*', '*', '*/}'),
  () => padded('{"Name":"', '\\u00e4', '"}'),
  () => padded('{"Effort":', '9', '}'),
  () => `{"Tags":"${'a,'.repeat(500_000)}"}`,
];

const xml = (inner) => `<UserStory Name="x">${inner}</UserStory>`;
const xmls = [
  () => xml('<Tasks/>'.repeat(199_000)),
  () => xml(`<Tasks>${'<Task/>'.repeat(199_000)}</Tasks>`),
  () => `<UserStories>${'<UserStory/>'.repeat(199_000)}</UserStories>`,
  () => '<a>'.repeat(100_000),
  () => `<UserStory ${times(100_000, (at) => `a${at}="x"`, ' ')}/>`,
  () => xml(times(190, () => `<Task ${times(999, (at) => `a${at}="x"`, ' ')}/>`)),
  () => padded('<UserStory><Description>', '&amp;', '</Description></UserStory>'),
  () => padded('<UserStory><Description>', '<![CDATA[x]]>', '</Description></UserStory>'),
  () => padded('<UserStory>', '<!-- x -->', '</UserStory>'),
  () => padded('<UserStory Name="', '\n', '"/>'),
  () => padded('<UserStory>', ' ', '</UserStory>'),
  () => `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100_000)}">]>${xml('&a;'.repeat(10_000))}`,
];

const sending = (clients, path, bodies, type, options) => (fixture) => {
  const spelled = bodies.map((spell) => Buffer.from(spell(fixture)));
  return asking(clients, (at) => post(path, inTurn(spelled, at), fixture.headers, type), options);
};

const announced = (headers, length) =>
  head('POST', stories, { ...headers, 'Content-Type': 'application/json', 'Content-Length': length });

export default [
  {
    name: 'anonymous-bodies',
    row: 'E23',
    what: '100 POSTs of 10 MiB at once without credentials',
    attack: () => {
      const body = Buffer.alloc(most, ' ');
      return asking(100, () => post(bulk, body, {}), { isReused: false });
    },
  },
  {
    name: 'user-bodies',
    row: 'C6',
    what: 'POSTs of 9 and 10 MiB of one user, 40 at once',
    attack: sending(40, bulk, [longItems, () => padded('[', ' ', ']')], 'application/json'),
  },
  {
    name: 'slow-bodies',
    row: 'E2',
    what: '200 bodies of 10 MiB at 10 bytes and 100 at 160 KiB a second',
    attack: ({ headers }) => {
      const drops = trickling(200, { head: announced(headers, most), piece: ' ', everyMs: 100 });
      const floods = trickling(100, { head: announced(headers, most), piece: ' '.repeat(16_384), everyMs: 50 });
      return (fleet) => Promise.all([drops(fleet), floods(fleet)]);
    },
  },
  {
    name: 'xml-bodies',
    row: 'D5',
    what: '199,000 empty elements and other worst XML, 8 clients',
    attack: sending(8, bulk, xmls, 'application/xml'),
  },
  {
    name: 'json-bodies',
    row: 'C5',
    what: '199,000 values and other worst JSON, 8 clients',
    attack: sending(8, bulk, jsons, 'application/json'),
  },
];
