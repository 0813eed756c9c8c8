/**
 * What a server may know by heart of stories in Scrum projects: what states they have and where they start, whose
 * efforts they have, their custom fields.
 */
export const story = { kind: 4, process: 3 };

export async function readFacts(pool) {
  const one = async (text) => (await pool.query(text, [story.process, story.kind])).rows[0];
  const { state } = await one(
    'select id as state from entity_state where process_id = $1 and entity_type_id = $2 and is_initial order by id limit 1',
  );
  const { states } = await one(
    `select json_agg(json_build_object('id', id, 'name', name) order by numeric_priority, id) as states
     from entity_state where process_id = $1 and entity_type_id = $2`,
  );
  const { roles } = await one(
    `select array_agg(distinct r.id order by r.id) as roles from entity_state s join role r on r.id = s.role_id
     where s.process_id = $1 and s.entity_type_id = $2 and r.has_effort`,
  );
  const { fields } = await one(
    `select coalesce(json_agg(json_build_object('name', name, 'type', field_type) order by numeric_priority, id), '[]') as fields
     from custom_field where process_id = $1 and entity_type_id = $2`,
  );
  const { rows } = await pool.query(
    'select id as priority from priority where entity_type_id = $1 order by is_default desc, importance desc limit 1',
    [story.kind],
  );
  return { state, states, roles, fields, priority: rows[0].priority };
}
