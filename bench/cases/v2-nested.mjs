/** A projection three levels deep by the expressions of version 2. */
import { get } from '../requests.mjs';

const select =
  '{id,name,features:features.select({id,name,stories:userstories.where(entityState.isFinal==false).select({id,name,tasks:tasks.count()})})}';

const address = `/api/v2/Epic?select=${encodeURIComponent(select)}&take=25`;

const statement = `select '{"id":' || e.id || ',"name":' || to_json(e.name) || ',"features":[' || array_to_string(array(
    select '{"id":' || f.id || ',"name":' || to_json(f.name) || ',"stories":[' || array_to_string(array(
        select '{"id":' || s.id || ',"name":' || to_json(s.name) || ',"tasks":' || (
            select count(*) from general t where t.user_story_id = s.id and t.entity_type_id = 5 and t.delete_date is null) || '}'
        from general s where s.feature_id = f.id and s.entity_type_id = 4 and s.delete_date is null
          and s.entity_state_id = any(array(select id from entity_state where not is_final)) order by s.id desc limit 1000), ',') || ']}'
    from general f where f.epic_id = e.id and f.entity_type_id = 9 and f.delete_date is null order by f.id desc limit 1000), ',') || ']}' as item
  from general e where e.entity_type_id = 27 and e.delete_date is null order by e.id desc limit 26`;

export default {
  name: 'v2-nested',
  what: 'epics with their features, the open stories of these and a count of their tasks, by an expression of version 2',
  clients: [16],
  unit: 'requests',
  size: 1,
  isRead: true,
  goal: () => ({ ratio: 0.8 }),
  service: (_, { headers }) => get(address, headers),
  limit: () => get('/v2-nested'),
  async answer(database) {
    const rows = await database.rows('v2-nested', statement, []);
    const items = rows.slice(0, 25).map(({ item }) => item);
    const next = rows.length > 25 ? `"next":"http://127.0.0.1:12345${address}&skip=25",` : '';
    return { status: 200, text: `{${next}"items":[${items.join(',')}]}` };
  },
};
