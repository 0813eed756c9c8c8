/** The reference list, in both formats. */
import { jsonPage, xmlPage } from '../limit/page.mjs';
import { referenceList as byHand } from '../limit/reference-list.mjs';
import { get, graphql, projectInTurn, referenceList } from '../requests.mjs';

const one = (format, frame) => ({
  name: format === 'json' ? 'list' : 'list-xml',
  what: `the reference list - 25 stories with nested tasks and assignments, counts, filtered by project and state - in ${format.toUpperCase()}`,
  clients: format === 'json' ? [1, 16, 64] : [16],
  unit: 'requests',
  size: 1,
  isRead: true,
  goal: (clients) => (format === 'xml' ? { ratio: 0.8 } : clients === 1 ? { p50: 1.25 } : { ratio: 0.85, p99: 2 }),
  service: (i, fixture) => get(referenceList(projectInTurn(i, fixture), { format }), fixture.headers),
  limit: (i, fixture) => get(`/list${format === 'xml' ? '-xml' : ''}/${projectInTurn(i, fixture)}`),
  stock: (i, fixture) => get(`/list${format === 'xml' ? '-xml' : ''}/${projectInTurn(i, fixture)}`),
  async answer(database, [project]) {
    return frame(await database.rows(`list-${format}`, statements[format], [project]), 25, 480);
  },
});

const graphqlList = `query ($project: BigInt!, $state: BigInt!) {
  allGenerals(first: 25, orderBy: ID_DESC, condition: {entityTypeId: 4, projectId: $project, entityStateId: $state, deleteDate: null}) {
    nodes {
      id name effort project { id name } state { id name }
      tasks: parts(orderBy: NAME_ASC, condition: {entityTypeId: 5, deleteDate: null}) { nodes { id name effort } totalCount }
      bugs: parts(condition: {entityTypeId: 8, deleteDate: null}) { totalCount }
      assignments { nodes { id role { id name } person { id firstName lastName } } }
    }
    pageInfo { hasNextPage } } }`;

/** By the id of the state, as PostGraphile filters without a plugin. */
const postgraphile = (i, fixture) => {
  const state = fixture.facts.states.find(({ name }) => name === 'In Progress');
  return graphql(graphqlList, { project: projectInTurn(i, fixture), state: state.id });
};

const statements = { json: byHand('json'), xml: byHand('xml') };

export default [{ ...one('json', jsonPage), peers: { postgraphile } }, one('xml', xmlPage)];
