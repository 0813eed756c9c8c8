/** Stories with their default fields: the newest 25, the newest thousand, and one by its id. */
import { inTurn } from '../fixture.mjs';
import { jsonPage, xmlPage } from '../limit/page.mjs';
import { newestStories, selectStories } from '../limit/story.mjs';
import { get } from '../requests.mjs';

const frames = { json: jsonPage, xml: xmlPage };

const page = (name, take, format, clients, goal) => {
  let statement;
  return {
    name,
    what: `the newest ${take} stories with their default fields in ${format.toUpperCase()}`,
    clients,
    unit: 'requests',
    size: 1,
    isRead: true,
    goal,
    service: (_, { headers }) => get(`/api/v1/UserStories?format=${format}&take=${take}`, headers),
    limit: () => get(`/${name}`),
    ...(take === 25 ? { stock: () => get(`/${name}`) } : {}),
    async answer(database, _, facts) {
      statement ??= newestStories(take, facts, format);
      return frames[format](await database.rows(name, statement, []), take, 60);
    },
  };
};

let byId;
const one = {
  name: 'one',
  what: 'one story by its id with its default fields in JSON',
  clients: [1, 16],
  unit: 'requests',
  size: 1,
  isRead: true,
  goal: () => ({ ratio: 0.7 }),
  service: (i, { stories, headers }) => get(`/api/v1/UserStories/${inTurn(stories, i * 7)}?format=json`, headers),
  limit: (i, { stories }) => get(`/one/${inTurn(stories, i * 7)}`),
  stock: (i, { stories }) => get(`/one/${inTurn(stories, i * 7)}`),
  async answer(database, [id], facts) {
    byId ??= selectStories('g.id = $1::bigint and g.entity_type_id = 4 and g.delete_date is null', facts);
    const [row] = await database.rows('one', byId, [id]);
    return row ? { status: 200, text: row.item } : { status: 404, text: '{}' };
  },
};

const whole = () => ({ ratio: 0.85, stall: 30 });

export default [
  page('default-list', 25, 'json', [16], () => ({ ratio: 0.8 })),
  one,
  page('thousand', 1000, 'json', [1, 4], whole),
  page('thousand-xml', 1000, 'xml', [1, 4], whole),
];
