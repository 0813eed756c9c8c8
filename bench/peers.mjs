/**
 * `--peers`: what others get out of the same rows without triggers: Nest with TypeORM, and PostGraphile, installed into
 * a folder that is thrown away.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTables } from './schemas.mjs';
import { startPostGraphile, startStock } from './servers.mjs';

const packages = ['postgraphile@4.14.1'];
const schema = 'bare';

export async function startPeers({ url, client, say, ending }) {
  const home = install(say, ending);
  await copyTables(client, [schema]);
  for (const statement of [...comments, omitTime, createStory]) await client.query(statement);
  const peers = [await startStock(url, schema, ending), await startPostGraphile(url, schema, home, ending)];
  return peers.map((peer) => ({ ...peer, schema, isPeer: true }));
}

function install(say, ending) {
  const home = mkdtempSync(join(tmpdir(), 'worktrack-peers-'));
  ending.push(() => rmSync(home, { recursive: true, force: true }));
  say(`Installing ${packages.join(', ')} …`);
  const args = ['install', '--prefix', home, '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];
  const { status, stderr } = spawnSync('npm', [...args, ...packages], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The peers could not be installed: ${stderr}`);
  return home;
}

/** As PostGraphile is told of relations where there are no foreign keys: by comments. */
const relations = {
  general: [
    ['project_id', 'general', '@fieldName project'],
    ['entity_state_id', 'entity_state', '@fieldName state'],
    ['user_story_id', 'general', '@fieldName story|@foreignFieldName parts'],
  ],
  assignment: [
    ['assignable_id', 'general', '@fieldName story|@foreignFieldName assignments'],
    ['general_user_id', 'general_user', '@fieldName person'],
    ['role_id', 'role', '@fieldName role'],
  ],
};

const comments = Object.entries(relations).map(([table, keys]) => {
  const tags = keys.map(
    ([column, target, names]) => `@foreignKey (${column}) references ${schema}.${target} (id)|${names}`,
  );
  return `comment on table ${schema}.${table} is E'${tags.join('\\n')}'`;
});

/** PostGraphile has a type of this name already. */
const omitTime = `comment on table ${schema}.time is E'@omit'`;

/** A function is how PostGraphile writes several tables at once. */
const createStory = `create or replace function ${schema}.create_story(
    name text, project_id int, person_id int, assigned_id int, role_id int, effort numeric, state_id int, priority_id int, roles int[])
  returns int language sql volatile as $$
    with story as (
      insert into ${schema}.general (entity_type_id, name, project_id, entity_state_id, priority_id, effort, effort_to_do, owner_id,
        last_editor_id, create_date, modify_date, last_state_change_date)
      values (4, $1, $2, $7, $8, $6, $6, 1, 1, now(), now(), now()) returning id),
    assigned as (insert into ${schema}.assignment (assignable_id, general_user_id, role_id) select id, $3, $4 from story),
    efforts as (
      insert into ${schema}.role_effort (assignable_id, role_id, own_effort, effort, effort_to_do)
      select story.id, role.id, part.effort, part.effort, part.effort from story, unnest($9) role(id),
        lateral (select case when role.id = $5 then $6 else 0 end as effort) part)
    select id::int from story
  $$`;
