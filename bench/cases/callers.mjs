/**
 * The reference list for a member of twenty projects, for a caller who writes another filter each time, and by each way
 * to call.
 */
import { inTurn } from '../fixture.mjs';
import { jsonPage } from '../limit/page.mjs';
import { referenceList as byHand, scopedList } from '../limit/reference-list.mjs';
import { get, projectInTurn, referenceList } from '../requests.mjs';

const shared = { clients: [16], unit: 'requests', size: 1, isRead: true };
const scoped = scopedList();
const narrowed = byHand('json', ' and g.id > $2::bigint');

export default [
  {
    ...shared,
    name: 'scoped',
    what: 'the reference list for a member of twenty projects',
    goal: () => ({ ratio: 0.8 }),
    service: (i, { member }) => get(referenceList(inTurn(member.projects, i)), member.headers),
    limit: (i, { member }) => get(`/scoped/${inTurn(member.projects, i)}/${member.projects.join(',')}`),
    async answer(database, [project, projects]) {
      const values = [project, projects.split(',').map(Number), []];
      return jsonPage(await database.rows('scoped', scoped, values), 25, 480);
    },
  },
  {
    ...shared,
    name: 'fresh',
    what: 'the reference list, filtered by a number that no request had before',
    goal: () => ({ ratio: 0.8 }),
    service: (i, fixture) =>
      get(referenceList(projectInTurn(i, fixture), { more: ` and (Id gt ${i})` }), fixture.headers),
    limit: (i, fixture) => get(`/fresh/${projectInTurn(i, fixture)}/${i}`),
    async answer(database, [project, id]) {
      return jsonPage(await database.rows('fresh', narrowed, [project, id]), 25, 480);
    },
  },
];
