/** The list of users, for administrators. */
import { call, root } from './calls.js';
import { dataTable, name } from './data-table.js';
import { ago, dateIn } from './dates.js';
import { byId, element } from './dom.js';
import { pagedList, shown } from './paged-list.js';
import { listsOf, query, usersWhere } from './spell.js';

/**
 * @typedef {{ Id: number, FullName: string, Login: string | null, Email: string | null, IsActive: boolean,
 * IsAdministrator: boolean, IsObserver: boolean, LastLoginDate: string | null, Role: { Name: string } | null, isLocked:
 * boolean, }} User
 */

const fields = '[FullName,Login,Email,IsActive,IsAdministrator,IsObserver,LastLoginDate,Role[Name]]';

/**
 * Those that are locked, of all or of some logins in lower case. @param {AbortSignal} signal @param {string[]} [logins]
 */
async function locked(signal, logins) {
  /** @type {string[]} */
  const names = [];
  for (const where of logins ? listsOf(logins).map((list) => ` and (Login in (${list}))`) : ['']) {
    for (let skip = 0, hasMore = true; hasMore; skip += 1000) {
      const asked = query({ where: `(IsLocked eq 'true')${where}`, include: '[Login]', take: 1000, skip });
      const { Items, Next } = await call(`/api/v1/LoginAttempts${asked}`, { signal });
      names.push(...Items.map((/** @type {{ Login: string }} */ { Login }) => Login));
      hasMore = Next !== undefined;
    }
  }
  return names;
}

/**
 * @param {string} where @param {number} take @param {number} skip @param {AbortSignal} signal @returns {Promise<{
 * Items: User[], Next?: string }>}
 */
const usersBy = (where, take, skip, signal) =>
  call(`/api/v1/Users${query({ where, include: fields, take, skip: skip || undefined })}`, { signal });

/** @param {import('./paged-list.js').Wanted} wanted @param {AbortSignal} signal */
async function load({ search, show, skip }, signal) {
  const { Items, Next } = await usersBy(usersWhere(search, show), shown, skip, signal);
  const logins = Items.flatMap(({ Login }) => (Login === null ? [] : [Login.toLowerCase()]));
  const attempts = await locked(signal, logins);
  const items = Items.map((user) => ({ ...user, isLocked: attempts.includes(user.Login?.toLowerCase() ?? '') }));
  return { items, hasMore: Next !== undefined };
}

/**
 * Most logins that get locked are nobody's: those of users are picked out, some at a time. @param
 * {import('./paged-list.js').Wanted} wanted @param {AbortSignal} signal
 */
async function loadLocked({ search, skip }, signal) {
  /** @type {User[]} */
  const rows = [];
  for (const logins of listsOf(await locked(signal))) {
    const where = `${usersWhere(search, '', ' and ')}(Login in (${logins}))`;
    rows.push(...(await usersBy(where, 1000, 0, signal)).Items);
  }
  const items = rows.slice(skip, skip + shown).map((user) => ({ ...user, isLocked: true }));
  return { items, hasMore: rows.length > skip + shown };
}

const list = pagedList({
  nouns: 'users',
  load: (wanted, signal) => (wanted.show === 'locked' ? loadLocked(wanted, signal) : load(wanted, signal)),
  draw: (/** @type {User[]} */ users) =>
    dataTable(
      'Users',
      [
        { name: 'Name' },
        { name: 'Login' },
        { name: 'E-mail' },
        { name: 'Role' },
        { name: 'Last log-in to pages' },
        { name: 'Notes' },
      ],
      users.map((user) => [
        element(
          'a',
          { href: `${root}/administration/users/${user.Id}` },
          name(user.FullName.trim() || user.Login || `User ${user.Id}`),
        ),
        user.Login === null ? undefined : name(user.Login),
        user.Email === null ? undefined : name(user.Email),
        user.Role?.Name,
        ago(dateIn(user.LastLoginDate), 'never'),
        badgesOf(user),
      ]),
    ),
});

/** @param {User} user */
function badgesOf({ IsActive, IsAdministrator, IsObserver, isLocked }) {
  const marks = /** @type {const} */ ([
    ['inactive', !IsActive, true],
    ['locked', isLocked, true],
    ['administrator', IsAdministrator, false],
    ['observer', IsObserver, false],
  ]);
  return marks
    .filter(([, isSo]) => isSo)
    .map(([words, , isBad]) => element('span', { class: isBad ? 'badge bad' : 'badge' }, words));
}

await list.show();
byId('page', HTMLElement).dataset.ready = 'true';
