/** The reference list by hand: joins where joins are quick, and every nested text glued where it is found. */

const json = `'{"ResourceType":"UserStory","Id":' || g.id || ',"Name":' || to_json(g.name)
  || ',"Project":{"ResourceType":"Project","Id":' || p.id || ',"Name":' || to_json(p.name)
  || '},"Effort":' || coalesce(g.effort::text, 'null')
  || ',"EntityState":{"ResourceType":"EntityState","Id":' || s.id || ',"Name":' || to_json(s.name)
  || '},"Tasks-Count":' || (select count(*) from general t where t.user_story_id = g.id and t.entity_type_id = 5 and t.delete_date is null)
  || ',"Bugs-Count":' || (select count(*) from general b where b.user_story_id = g.id and b.entity_type_id = 8 and b.delete_date is null)
  || ',"Assignments":{"Items":[' || coalesce((
    select string_agg('{"ResourceType":"Assignment","Id":' || a.id
      || ',"GeneralUser":{"ResourceType":"User","Id":' || u.id || ',"FirstName":' || coalesce(to_json(u.first_name)::text, 'null')
      || ',"LastName":' || coalesce(to_json(u.last_name)::text, 'null')
      || '},"Role":{"ResourceType":"Role","Id":' || r.id || ',"Name":' || to_json(r.name) || '}}', ',' order by a.general_user_id, a.id)
    from assignment a join general_user u on u.id = a.general_user_id join role r on r.id = a.role_id
    where a.assignable_id = g.id), '')
  || ']},"Tasks":{"Items":[' || coalesce((
    select string_agg('{"ResourceType":"Task","Id":' || t.id || ',"Name":' || to_json(t.name)
      || ',"Effort":' || coalesce(t.effort::text, 'null') || '}', ',' order by t.name, t.id)
    from general t where t.user_story_id = g.id and t.entity_type_id = 5 and t.delete_date is null), '')
  || ']}}'`;

const escaped = (column) => `replace(replace(replace(${column}, '&', '&amp;'), '<', '&lt;'), '>', '&gt;')`;
/** Within an attribute. */
const quoted = (column) => `replace(${escaped(column)}, '"', '&quot;')`;
const orNil = (name, text) => `coalesce('<${name}>' || ${text} || '</${name}>', '<${name} nil="true" />')`;

const xml = `'<UserStory ResourceType="UserStory" Id="' || g.id || '" Name="' || ${quoted('g.name')}
  || '"><Project ResourceType="Project" Id="' || p.id || '" Name="' || ${quoted('p.name')} || '" />' || ${orNil('Effort', 'g.effort')}
  || '<EntityState ResourceType="EntityState" Id="' || s.id || '" Name="' || ${quoted('s.name')} || '" />'
  || '<Tasks-Count>' || (select count(*) from general t where t.user_story_id = g.id and t.entity_type_id = 5 and t.delete_date is null)
  || '</Tasks-Count><Bugs-Count>' || (select count(*) from general b where b.user_story_id = g.id and b.entity_type_id = 8 and b.delete_date is null)
  || '</Bugs-Count><Assignments>' || coalesce((
    select string_agg('<Assignment ResourceType="Assignment" Id="' || a.id || '"><GeneralUser ResourceType="User" Id="' || u.id || '">'
      || ${orNil('FirstName', escaped('u.first_name'))} || ${orNil('LastName', escaped('u.last_name'))}
      || '</GeneralUser><Role ResourceType="Role" Id="' || r.id || '" Name="' || ${quoted('r.name')} || '" /></Assignment>', ''
      order by a.general_user_id, a.id)
    from assignment a join general_user u on u.id = a.general_user_id join role r on r.id = a.role_id
    where a.assignable_id = g.id), '')
  || '</Assignments><Tasks>' || coalesce((
    select string_agg('<Task ResourceType="Task" Id="' || t.id || '" Name="' || ${quoted('t.name')} || '">' || ${orNil('Effort', 't.effort')}
      || '</Task>', '' order by t.name, t.id)
    from general t where t.user_story_id = g.id and t.entity_type_id = 5 and t.delete_date is null), '')
  || '</Tasks></UserStory>'`;

const spelled = { json, xml };

/** `$1` is the project; `condition` may narrow the stories, `g`, further. One row more than the page. */
export const referenceList = (format, condition = '') => `select ${spelled[format]} as item
  from general g join general p on p.id = g.project_id join entity_state s on s.id = g.entity_state_id
  where g.entity_type_id = 4 and g.delete_date is null and g.project_id = $1::bigint
    and g.entity_state_id = any(array(select id from entity_state where name = 'In Progress'))${condition}
  order by g.id desc limit 26`;

/** What a member sees: what lies in a project of theirs, `$2`, or is assigned to a team of theirs, `$3`. */
const seen = (alias) => `(${alias}.project_id = any($2::bigint[]) or exists (
    select 1 from team_assignment ta where ta.assignable_id = ${alias}.id and ta.team_id = any($3::bigint[])))`;

/** The same for a member: nothing is listed, nested or counted that they may not see. */
export const scopedList = () =>
  referenceList('json', ` and ${seen('g')}`)
    .replaceAll('t.delete_date is null', `t.delete_date is null and ${seen('t')}`)
    .replaceAll('b.delete_date is null', `b.delete_date is null and ${seen('b')}`);
