/** Everybody who may call, and everybody who may not, each with the credentials that are or once were good. */
import { type Ask, chosenPassword, type TestApp } from './app.js';
import { type Ids, make } from './builder.js';
import type { Column } from './permission-table.js';

export type Refused = 'anonymous' | 'requester' | 'inactive' | 'deleted';
export type Caller = Column | 'system' | Refused;
export const refused: readonly Refused[] = ['anonymous', 'requester', 'inactive', 'deleted'];

export interface Callers {
  /** The query text that says who asks. */
  tokens: Record<Caller, string>;
  /** What Basic would say of those who are refused. */
  logins: Partial<Record<Caller, string>>;
  team: number;
}

/** Observer and member belong to the project of `own`; the team is made for the caller alone. */
export async function makeCallers(app: TestApp, own: Ids): Promise<Callers> {
  const names = ['observer', 'member', 'team', 'outsider', 'requester', 'inactive', 'deleted'] as const;
  const ids: Ids = {};
  for (const name of names) {
    const person = { Login: `the.${name}`, Email: `${name}@example.com`, IsObserver: name === 'observer' };
    ids[name] = await make(app, 'User', { mark: name, ids: own }, person);
  }
  for (const name of ['observer', 'member'])
    await make(app, 'ProjectMember', { mark: '', ids: { ...own, User: ids[name]! } });
  const team = await make(app, 'Team', { mark: 'team', ids: own });
  await make(app, 'TeamMember', { mark: '', ids: { ...own, Team: team, User: ids.team! } });
  await app.rows(
    "update general_user set password_hash = (select password_hash from general_user where login = 'the.member') where kind = 'SystemUser'",
  );
  const tokens = {
    anonymous: '',
    admin: await tokenOf(app, 'admin'),
    system: await tokenOf(app, 'System'),
  } as Callers['tokens'];
  for (const name of names) tokens[name] = await tokenOf(app, `the.${name}`);
  await app.rows("update general_user set kind = 'Requester' where id = $1", [ids.requester]);
  await app.post(`/api/v1/Users/${ids.inactive}`, { IsActive: false });
  await app.ask(`/api/v1/Users/${ids.deleted}`, { method: 'DELETE' });
  return {
    tokens,
    team,
    logins: Object.fromEntries(refused.slice(1).map((name) => [name, `the.${name}:${chosenPassword}`])),
  };
}

async function tokenOf(app: TestApp, login: string): Promise<string> {
  const { Token } = await app.json(`/api/v1/Authentication?login=${encodeURIComponent(login)}`);
  return `token=${encodeURIComponent(Token)}`;
}

/** Asks with a token in the query text, which costs no hash. */
export function askAs(app: TestApp, token: string, path: string, ask: Ask = {}) {
  const asked = token === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${token}`;
  return app.ask(asked, { ...ask, as: 'nobody', headers: { 'content-type': 'application/json', ...ask.headers } });
}
