/** The one statement that says who may call: by id, by login, or by what else leads to a user. */
import { currentPosition } from '../database/wal-position.js';

/** What a statement adds: columns with a comma in front, joins to `u`, and the condition that finds one user. */
export interface AccountSource {
  name: string;
  columns?: string;
  joins?: string;
  condition: string;
}

/** One look by id, never a join: planned while `general` is nearly empty, a join walks all of it for each member. */
const isLive = (id: string): string => `(select g.delete_date is null from general g where g.id = ${id})`;

/** The projects and teams of the user `u`, directly or through a team that is there, as far as the projects are. */
const memberships = `array(
    select distinct m.project_id from (
      select m.project_id from project_member m where m.user_id = u.id
      union all
      select tp.project_id from team_member m join team_project tp on tp.team_id = m.team_id
      where m.user_id = u.id and ${isLive('m.team_id')}) m
    where ${isLive('m.project_id')}
    order by m.project_id) as project_ids,
  array(
    select m.team_id from team_member m where m.user_id = u.id and ${isLive('m.team_id')}
    order by m.team_id) as team_ids`;

/** Requesters, the inactive and the deleted are nobody here, so that none of them is answered differently. */
export const accountQuery = ({ name, columns = '', joins = '', condition }: AccountSource) => ({
  name,
  text: `
select u.id, u.kind, u.password_hash, u.token_version, u.is_administrator, u.is_observer,
  ${memberships},
  exists (select from login_attempt a where a.login = lower(u.login) and a.locked_until > now()) as is_locked,
  (select r.can_use_personal_access_tokens from role r where r.id = u.role_id) as may_use_access_tokens,
  (select s.value #>> '{}' from setting s where s.name = 'token-secret') as token_secret,
  ${currentPosition} as position${columns}
from general_user u${joins}
where ${condition} and u.kind in ('User', 'SystemUser') and u.is_active and u.delete_date is null`,
});
