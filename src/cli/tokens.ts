/** `worktrack token …`: access tokens of users. */
import { CommandError, exitCodes } from './command-error.js';
import { withService } from './local-service.js';
import { type Format, say, showAll, showOne } from './output.js';
import { userOf } from './users.js';

interface AccessToken {
  Id: number;
  Name: string;
  IssueDate: string;
  LastUseDate: string | null;
  ExpireDate: string | null;
  IsReadOnly: boolean;
  User: { Id: number; Login?: string };
  Token?: string;
}

const include = '[Id,Name,IssueDate,LastUseDate,ExpireDate,IsReadOnly,User[Id,Login]]';

export interface TokenOptions extends Format {
  readonly readOnly?: boolean;
  readonly expires?: string;
}

/** Made as its owner, who alone may make it. It is shown here and never again. */
export async function issueToken(
  env: NodeJS.ProcessEnv,
  login: string,
  name: string,
  options: TokenOptions,
): Promise<void> {
  const body = { Name: name, IsReadOnly: options.readOnly ?? false, ExpireDate: options.expires ?? null };
  await withService(env, async (service) => {
    const { Id: as } = await userOf(service, login);
    const made = await service.ask<AccessToken>('POST', 'AccessTokens', { body, as, query: { include } });
    if (options.json) showOne({ ...view(made), token: made.Token }, options);
    else say(made.Token!);
  });
}

export async function listTokens(env: NodeJS.ProcessEnv, options: Format & { user?: string }): Promise<void> {
  await withService(env, async (service) => {
    const user = options.user === undefined ? undefined : await userOf(service, options.user);
    const where = user && { where: `User.Id eq ${user.Id}` };
    showAll((await service.list<AccessToken>('AccessTokens', { ...where, include })).map(view), options);
  });
}

export async function revokeToken(env: NodeJS.ProcessEnv, id: string, format: Format): Promise<void> {
  if (!/^\d{1,15}$/.test(id))
    throw new CommandError(`The id of a token is a whole number, not '${id}'.`, exitCodes.usage);
  await withService(env, async (service) => {
    await service.ask('DELETE', `AccessTokens/${id}`);
    showOne({ revoked: Number(id) }, format);
  });
}

const view = (token: AccessToken) => ({
  id: token.Id,
  user: token.User.Login ?? token.User.Id,
  name: token.Name,
  readOnly: token.IsReadOnly,
  issued: instant(token.IssueDate),
  lastUse: instant(token.LastUseDate),
  expires: instant(token.ExpireDate),
});

/** The API spells dates as /Date(milliseconds-offset)/. */
function instant(date: string | null): string | null {
  const milliseconds = /^\/Date\((-?\d+)/.exec(date ?? '')?.[1];
  return milliseconds === undefined ? null : new Date(Number(milliseconds)).toISOString();
}
