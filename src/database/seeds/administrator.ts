/** The first administrator: login `admin`, id 1. Returns whether it had to be made. */
import type { ClientBase } from 'pg';

export async function ensureAdministrator(client: ClientBase, passwordHash: () => Promise<string>): Promise<boolean> {
  const { rowCount: count } = await client.query('select 1 from general_user where id = 1');
  if (count) return false;
  await client.query(
    `insert into general_user (id, kind, first_name, last_name, login, email, password_hash, is_active, is_administrator,
       is_observer, weekly_available_hours, role_id, available_from, global_id, create_date, modify_date)
     values (1, 'User', 'Ada', 'Administrator', 'admin', 'admin@example.com', $1, true, true, false, 40,
       (select min(id) from role), date_trunc('day', now()), gen_random_uuid(), now(), now())`,
    [await passwordHash()],
  );
  return true;
}
