/** `worktrack user …`: who may log in. */
import { loginKey } from '../auth/login-attempts.js';
import { askPassword } from './ask-password.js';
import { CommandError } from './command-error.js';
import { type LocalService, quoted, withService } from './local-service.js';
import { type Format, showAll, showOne } from './output.js';

interface User {
  Id: number;
  Login: string | null;
  FirstName: string | null;
  LastName: string | null;
  Email: string | null;
  IsActive: boolean;
  IsAdministrator: boolean;
}

interface Attempt {
  Id: number;
  Login: string;
  IsLocked: boolean;
}

const include = '[Id,Login,FirstName,LastName,Email,IsActive,IsAdministrator]';

export async function listUsers(env: NodeJS.ProcessEnv, format: Format): Promise<void> {
  await withService(env, async (service) => {
    const users = await service.list<User>('Users', { include, orderBy: 'Login' });
    const attempts = await service.list<Attempt>('LoginAttempts');
    const locked = new Set(attempts.filter(({ IsLocked }) => IsLocked).map(({ Login }) => Login));
    const rows = users.map((user) => ({ ...view(user), locked: locked.has(loginKey(user.Login ?? '')) }));
    showAll(rows, format);
  });
}

export interface NewUser extends Format {
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly administrator?: boolean;
  readonly observer?: boolean;
}

export async function addUser(env: NodeJS.ProcessEnv, login: string, options: NewUser): Promise<void> {
  const Password = await askPassword(`Password of ${login}`);
  const body = {
    Login: login,
    Password,
    Email: options.email,
    FirstName: options.firstName ?? login,
    LastName: options.lastName ?? '',
    IsAdministrator: options.administrator ?? false,
    IsObserver: options.observer ?? false,
  };
  await withService(env, async (service) => {
    showOne(view(await service.ask<User>('POST', 'Users', { body, query: { include } })), options);
  });
}

export async function changePassword(env: NodeJS.ProcessEnv, login: string, format: Format): Promise<void> {
  const Password = await askPassword(`New password of ${login}`);
  await change(env, login, { Password }, format);
}

export const setActive = (env: NodeJS.ProcessEnv, login: string, isActive: boolean, format: Format): Promise<void> =>
  change(env, login, { IsActive: isActive }, format);

async function change(
  env: NodeJS.ProcessEnv,
  login: string,
  body: Record<string, unknown>,
  format: Format,
): Promise<void> {
  await withService(env, async (service) => {
    const { Id } = await userOf(service, login);
    const as = await service.administrator(Id);
    showOne(view(await service.ask<User>('POST', `Users/${Id}`, { body, query: { include }, as })), format);
  });
}

/** Locks are kept by login, also of one that nobody has. */
export async function unlockUser(env: NodeJS.ProcessEnv, login: string, format: Format): Promise<void> {
  await withService(env, async (service) => {
    const where = `Login eq ${quoted(loginKey(login))}`;
    const [attempt] = await service.list<Attempt>('LoginAttempts', { where });
    if (attempt) await service.ask('DELETE', `LoginAttempts/${attempt.Id}`);
    else await userOf(service, login);
    showOne({ login, wasLocked: attempt?.IsLocked ?? false }, format);
  });
}

export async function userOf(service: LocalService, login: string): Promise<User> {
  const [user] = await service.list<User>('Users', { where: `Login eq ${quoted(login)}`, include });
  if (!user) throw new CommandError(`There is no user with the login '${login}'.`);
  return user;
}

const view = (user: User) => ({
  id: user.Id,
  login: user.Login,
  name: [user.FirstName, user.LastName].filter(Boolean).join(' '),
  email: user.Email,
  active: user.IsActive,
  administrator: user.IsAdministrator,
});
