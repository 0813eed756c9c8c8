/** A filter through a reference and a custom field, ordered by another field. */
import { inTurn } from '../fixture.mjs';
import { jsonPage } from '../limit/page.mjs';
import { get } from '../requests.mjs';

const statement = `select '{"ResourceType":"UserStory","Id":' || g.id || ',"Name":' || to_json(g.name)
    || ',"ModifyDate":' || coalesce('"\\/Date(' || (extract(epoch from g.modify_date) * 1000)::bigint || '+0000)\\/"', 'null')
    || ',"Effort":' || coalesce(g.effort::text, 'null') || '}' as item
  from general g
  where g.entity_type_id = 4 and g.delete_date is null and g.custom_values @> '{"Risk":"High"}'
    and g.project_id = any(array(select id from general where entity_type_id = 1 and delete_date is null and lower(name) = lower($1)))
  order by g.modify_date desc, g.id desc limit 26`;

export default {
  name: 'filter',
  what: 'stories filtered by the name of their project and a custom field, ordered by their last change',
  clients: [16],
  unit: 'requests',
  size: 1,
  isRead: true,
  goal: () => ({ ratio: 0.8 }),
  service: (i, { projects, headers }) =>
    get(
      encodeURI(
        `/api/v1/UserStories?include=[Id,Name,ModifyDate,Effort]&where=(Project.Name eq '${inTurn(projects, i).name}') and (CustomFields.Risk eq 'High')` +
          '&orderByDesc=ModifyDate&take=25&format=json',
      ),
      headers,
    ),
  limit: (i, { projects }) => get(`/filter/${encodeURIComponent(inTurn(projects, i).name)}`),
  async answer(database, [name]) {
    return jsonPage(await database.rows('filter', statement, [decodeURIComponent(name)]), 25, 300);
  },
};
