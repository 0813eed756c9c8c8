/** A login differs from all others without regard to case, and to letters of other scripts that look the same. */
import { type Change, currentValue, type Restoral, refuse, type Work } from '../../command/change.js';
import { conflict } from '../../errors.js';

/** Errors: 400, 409. Whoever comes at the same moment is met by `refuseLoginsBeside`. */
export async function loginRules(changes: readonly Change[], work: Work): Promise<void> {
  for (const change of changes) normalise(change);
  await refuseTaken(changes, work);
}

/**
 * One after another: no index keeps apart what only looks the same, and each of two would look before the other. Called
 * last, since all others who name a login wait until the transaction ends. Errors: 409.
 */
export async function refuseLoginsBeside(changes: readonly Change[], work: Work): Promise<void> {
  if (!changes.some(namesLogin)) return;
  await lockLogins(work);
  await refuseTaken(changes, work);
}

const namesLogin = ({ values }: Change): boolean => typeof values.login === 'string';

async function refuseTaken(changes: readonly Change[], work: Work): Promise<void> {
  const named = changes.filter(namesLogin);
  if (named.length === 0) return;
  const existing = await alikes(
    named.map(({ values }) => values.login),
    work,
  );
  const seen = new Set<string>();
  named.forEach((change, at) => {
    const isTaken = existing.some(({ n, id }) => n === at + 1 && id !== change.id);
    const key = folded(String(change.values.login));
    if (isTaken || seen.has(key)) throw taken(change.command.path, change.values.login);
    seen.add(key);
  });
}

/** While somebody was deleted his login was free: it may have become another one's. */
export async function refuseTakenLogins(restorals: readonly Restoral[], work: Work): Promise<void> {
  const named = restorals.filter(({ before }) => typeof before?.login === 'string');
  if (named.length === 0) return;
  const logins = named.map(({ before }) => String(before!.login));
  await lockLogins(work);
  const existing = await alikes(logins, work);
  const keys = logins.map(folded);
  const at = named.findIndex(
    (_, index) => existing.some(({ n }) => n === index + 1) || keys.indexOf(keys[index]!) < index,
  );
  if (at >= 0) throw taken(named[at]!.path, logins[at]);
}

const taken = (path: string, login: unknown) =>
  conflict(
    `${path}Login: '${String(login)}' belongs to somebody else, or looks like a login that does.`,
    'AlreadyExists',
  );

/** Before it is taken apart as well: one sign may stand for eighteen letters. */
function refuseLong(change: Change, login: string): void {
  if (login.length > 255) throw refuse(change, 'Login', 'at most 255 characters are allowed.');
}

/** Full-width letters, ligatures and the like are the letters they stand for. */
function normalise(change: Change): void {
  const { values, resource, isNew } = change;
  if (typeof values.login === 'string') {
    refuseLong(change, values.login);
    const login = values.login.normalize('NFKC').trim();
    refuseLong(change, login);
    values.login = login === '' ? null : login;
    if (/[\p{C}:]/u.test(login)) throw refuse(change, 'Login', 'colons and invisible characters are not allowed.');
    if (login === change.before?.login) delete values.login;
  }
  const isAsked = resource.name === 'User' && (isNew || 'login' in values);
  if (isAsked && !currentValue<string>(change, 'login')) throw refuse(change, 'Login', 'a value is required.');
}

/** Lower-case letters of Cyrillic, Greek and others, and the Latin ones that they are taken for. */
const lookAlike = ['авекмнорстухіјѕһԁԛԝӏαβεικνορτυχısօս', 'abekmhopctyxijshdqwlabeikvoptuxisou'] as const;

const lockLogins = ({ rows }: Work): Promise<unknown> =>
  rows(`select pg_advisory_xact_lock(hashtext('worktrack.logins'))`);

const alikes = (logins: readonly unknown[], { rows }: Work): Promise<{ n: number; id: number }[]> =>
  rows(alike, [logins, ...lookAlike]);

const alike = `select u.n::int as n, g.id from unnest($1::text[]) with ordinality as u(login, n)
  join general_user g on g.delete_date is null and g.login is not null
    and translate(lower(g.login), $2, $3) = translate(lower(u.login collate "und-x-icu"), $2, $3)`;

const folded = (login: string): string =>
  [...login.toLowerCase()].map((letter) => lookAlike[1][lookAlike[0].indexOf(letter)] ?? letter).join('');
