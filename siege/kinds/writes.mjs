/** Writes: bulk bodies, and many that wait for one lock. */
import { inTurn, post } from '../requests.mjs';
import { asking } from '../shapes.mjs';

const bulk = '/api/v1/UserStories/bulk?format=json&include=[Id]';

const created = (at, { project }) =>
  Array.from({ length: 1000 }, (_, n) => ({
    Name: `Bulk ${at} ${n}`,
    Project: { Id: project },
    RoleEfforts: [{ Role: { Id: 1 }, Effort: n % 9 }],
  }));
const updated = (at, { stories }) => stories.map((Id) => ({ Id, Name: `Bulk ${at}` }));

/** As many tags as a body may have, and three times as many. */
const tagged =
  (count) =>
  (at, { stories }) =>
    stories.map((Id, n) => ({ Id, Tags: Array.from({ length: count }, (_, k) => `t${(n + at) % 9} ${k}`).join() }));

const bulkOf =
  (...spells) =>
  (at, fixture) =>
    post(bulk, JSON.stringify(inTurn(spells, at)(at, fixture)), fixture.headers);

const oneStory = (at, { stories, headers }) =>
  post(`/api/v1/UserStories/${stories.at(-1)}?format=json`, JSON.stringify({ Name: `Locked ${at}` }), headers);

export default [
  {
    name: 'bulk-bodies',
    row: 'C25',
    what: 'bulk writes of 1,000 items, 8 at once',
    attack: (fixture) => {
      const spell = bulkOf(created, updated);
      return asking(8, (at) => spell(at, fixture));
    },
  },
  {
    name: 'one-lock',
    row: 'F11',
    what: '100 updates of one story at once beside 2 bulk writes of it',
    attack: (fixture) => {
      const spell = bulkOf(updated);
      const updates = asking(100, (at) => oneStory(at, fixture));
      const bulks = asking(2, (at) => spell(at, fixture));
      return (fleet) => Promise.all([updates(fleet), bulks(fleet)]);
    },
  },
  {
    name: 'many-tags',
    row: 'C25',
    what: 'bulk writes of 66 and of 200 tags for each of 300 items, 4 at once',
    attack: (fixture) => {
      const spell = bulkOf(tagged(66), tagged(200));
      return asking(4, (at) => spell(at, fixture));
    },
  },
];
