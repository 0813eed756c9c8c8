/** What the service needs of a database and its server, and cannot be given by migrations. */
interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly hasIcu: boolean;
}

const asked = `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
  exists (select from pg_collation where collname = 'und-x-icu') as "hasIcu"`;

/** In lines for the person who chooses the server; none where all is there. */
export async function missingOf(ask: (text: string) => Promise<Server[]>): Promise<string[]> {
  const { version, encoding, hasIcu } = (await ask(asked))[0]!;
  const problems: [boolean, string][] = [
    [version < 14, `PostgreSQL ${version} is older than 14.`],
    [encoding !== 'UTF8', `The database is encoded as ${encoding}, not as UTF8.`],
    [!hasIcu, 'PostgreSQL is built without ICU.'],
  ];
  return problems.filter(([isMissing]) => isMissing).map(([, problem]) => problem);
}
