/** Names and priorities of a thousand stories are changed by one request. */
import { listOf } from '../limit/list.mjs';
import { bulkOfBare } from './bulk-create.mjs';

const size = 1000;

/** Windows are gone through one after the other, so that requests under way at once change different stories. */
const bodyOf = (i, windows) => {
  if (windows.length < 4) throw new Error('There are too few stories for this case: use --generals 20000 or more.');
  const round = Math.floor(i / windows.length);
  return windows[i % windows.length].map((id, at) => ({
    Id: id,
    Name: `Renamed story ${id}, time ${i}`,
    Priority: { Id: 1 + ((at + round) % 5) },
  }));
};

const byHand =
  (server) =>
  (i, { windows }) => ({
    method: 'POST',
    path: '/bulk-update',
    body: bodyOf(i, windows[server]),
    expects: 200,
  });

export default {
  name: 'bulk-update',
  what: 'name and priority of a thousand stories by one request, answered with Id and Name',
  clients: [1, 4],
  unit: 'entities',
  size,
  goal: (clients) => ({ ratio: 1 / 3, ...(clients === 1 ? bulkOfBare : {}) }),
  service: (i, { headers, windows }) => ({
    method: 'POST',
    path: '/api/v1/UserStories/bulk?format=json&include=[Id,Name]',
    headers,
    body: bodyOf(i, windows.service),
    expects: 200,
  }),
  limit: byHand('limit'),
  bare: byHand('bare'),

  async answer(database, input) {
    const values = [input.map(({ Id }) => Id), input.map(({ Name }) => Name), input.map(({ Priority }) => Priority.Id)];
    const [{ list }] = await database.rows('bulk-update', update, values);
    return { status: 200, text: list };
  },
};

const update = `with changed as (
    update general g set name = sent.name, priority_id = sent.priority_id, modify_date = now(), last_editor_id = 1
    from unnest($1::bigint[], $2::text[], $3::bigint[]) with ordinality sent(id, name, priority_id, at)
    where g.id = sent.id and g.entity_type_id = 4 and g.delete_date is null returning g.id, g.name, sent.at)
  select ${listOf('id', 'name', 'at')} as list from changed`;
