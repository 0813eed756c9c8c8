/** Looks at what of the database server the service relies on. */
import type { DataSource } from 'typeorm';
import { type Finding, forPeople } from './finding.js';

interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly autovacuum: string;
  readonly hasIcu: boolean;
}

const asked = `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
  current_setting('autovacuum') as autovacuum,
  exists (select from pg_collation where collname = 'und-x-icu') as "hasIcu"`;

export async function checkServer(dataSource: DataSource): Promise<Finding[]> {
  const [server]: [Server] = await dataSource.query(asked);
  const problems: [boolean, string][] = [
    [server.version < 14, `PostgreSQL ${server.version} is older than 14.`],
    [server.encoding !== 'UTF8', `The database is encoded as ${server.encoding}, not as UTF8.`],
    [server.autovacuum !== 'on', 'autovacuum is off: tables and indexes grow, and plans become wrong.'],
    [!server.hasIcu, 'PostgreSQL is built without ICU.'],
  ];
  return problems.filter(([isWrong]) => isWrong).map(([, problem]) => forPeople('database', problem));
}
