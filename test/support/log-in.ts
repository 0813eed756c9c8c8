/** Logs in by the form, as a browser does. */
import type { Answer, TestApp } from './app.js';

export const logIn = (
  app: TestApp,
  login: string,
  password: string,
  headers: Record<string, string> = {},
  more: Record<string, string> = {},
): Promise<Answer> =>
  app.raw('/login', {
    method: 'POST',
    body: new URLSearchParams({ login, password, ...more }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

/** What the browser sends from then on. */
export const cookieOf = ({ headers }: Answer): string => headers.get('set-cookie')!.split(';', 1)[0]!;
