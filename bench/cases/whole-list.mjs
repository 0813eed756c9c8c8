/** A whole list line by line, beside PostgreSQL's own way to give out many texts. */
import { get } from '../requests.mjs';

const statement = `copy (select '{"ResourceType":"UserStory","Id":' || g.id || ',"Name":' || coalesce(to_json(g.name)::text, 'null')
    || ',"Effort":' || coalesce(g.effort::text, 'null') || '}'
  from general g where g.entity_type_id = 4 and g.delete_date is null order by g.id) to stdout`;

export default {
  name: 'whole-list',
  what: 'all stories with name and effort as lines of JSON, beside `copy (…) to stdout` of the same texts',
  clients: [1],
  unit: 'lists',
  size: 1,
  isRead: true,
  goal: () => ({ ratio: 0.5 }),
  service: (_, { headers }) => get('/api/v1/UserStories?include=[Id,Name,Effort]&format=ndjson', headers),
  limit: () => get('/whole-list'),
  answer: async (database) => ({ status: 200, type: 'application/x-ndjson', text: await database.copied(statement) }),
};
