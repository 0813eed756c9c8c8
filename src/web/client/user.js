/** One user, as administrators see and change him. */
import { call } from './calls.js';
import { ago, dateIn, onDay } from './dates.js';
import { confirmed } from './dialogs.js';
import { byId, element } from './dom.js';
import { changes, fill, sends } from './forms.js';
import { announce, announceChange } from './messages.js';
import { offerRoles, withRole } from './roles.js';
import { query, quoted } from './spell.js';
import { tokenList } from './token-list.js';
import { accessActs } from './user-access.js';

/**
 * @typedef {{ Id: number, FirstName: string | null, LastName: string | null, FullName: string, Login: string | null,
 * Email: string | null, IsActive: boolean, IsAdministrator: boolean, IsObserver: boolean, LastLoginDate: string | null,
 * CreateDate: string, Role: { Id: number, Name: string } | null, }} User
 * @typedef {{ Id: number, LockedUntil: string, Count: number }} Lock
 */

const page = byId('page', HTMLElement);
const id = Number(page.dataset.user);
const isSelf = page.dataset.self === 'true';
const form = byId('user', HTMLFormElement);
const fields =
  '[FirstName,LastName,FullName,Login,Email,IsActive,IsAdministrator,IsObserver,LastLoginDate,CreateDate,Role[Name]]';
const tokens = tokenList(byId('tokens', HTMLElement), id, 'None.');

/** @type {User} */
let user;
/** What the form said when it was filled in. @type {Record<string, unknown>} */
let before = {};

/** @returns {Promise<void>} */
async function load() {
  user = await call(`/api/v1/Users/${id}?include=${fields}`);
  const asked = query({
    where: `(Login eq ${quoted(user.Login?.toLowerCase() ?? '')}) and (IsLocked eq 'true')`,
    include: '[LockedUntil,Count]',
  });
  /** @type {Lock | undefined} */
  const lock = (await call(`/api/v1/LoginAttempts${asked}`)).Items[0];
  draw(lock);
}

/** @param {Lock | undefined} lock */
function draw(lock) {
  const name = nameOf();
  byId('name', HTMLElement).textContent = name;
  document.title = `${name} · Worktrack`;
  byId('facts', HTMLElement).replaceChildren(
    fact('State', element('span', { class: user.IsActive ? 'well' : 'unwell' }, user.IsActive ? 'active' : 'inactive')),
    fact('Last log-in to pages', ago(dateIn(user.LastLoginDate), 'never')),
    fact('Created', whenOf(user.CreateDate)),
    fact('Id', String(id)),
  );
  const { FirstName, LastName, Login, Email, IsAdministrator, IsObserver, Role } = user;
  const role = Role === null ? null : String(Role.Id);
  const values = { FirstName, LastName, Login, Email, IsAdministrator, IsObserver, Role: role };
  fill(form, values, before);
  before = values;
  const acts = accessActs({ user, isSelf, lock, name, changed: load, gone });
  byId('access', HTMLElement).replaceChildren(...acts);
  byId('details', HTMLElement).hidden = false;
}

const nameOf = () => user.FullName.trim() || user.Login || `User ${id}`;

/** @param {string} date */
function whenOf(date) {
  const moment = dateIn(date);
  return moment === undefined ? '' : onDay(moment);
}

/** @param {string} name @param {Node | string} value */
const fact = (name, value) => element('div', {}, element('dt', {}, name), element('dd', {}, value));

sends(form, async () => {
  const changed = changes(form, before);
  if (Object.keys(changed).length === 0) {
    announce('Nothing was changed.');
    return;
  }
  const save = async () => {
    await call(`/api/v1/Users/${id}`, { method: 'POST', body: withRole(changed) });
    before = { ...before, ...changed };
  };
  if (changed.IsAdministrator === false) {
    const title = 'Take the rights of an administrator away';
    const text = [
      element('bdi', {}, nameOf()),
      isSelf ? ': that is you. You can no longer see these pages then.' : ' can no longer see and change everything.',
    ];
    if (!(await confirmed({ title, text, words: 'Take away', act: save }))) return;
  } else await save();
  await announceChange(load, 'Saved.');
});

/** Nothing is left to be done here. @param {string} name */
function gone(name) {
  byId('details', HTMLElement).hidden = true;
  const link = element('a', { href: `${page.dataset.root}/administration/deleted-users` }, 'deleted users');
  announce(element('bdi', {}, name), ' is deleted. Restore is possible from the list of ', link, '.');
  link.focus();
}

try {
  await offerRoles(form, false);
  await load();
  await tokens.show();
} catch (error) {
  byId('load-problem', HTMLElement).textContent = error instanceof Error ? error.message : String(error);
}
page.dataset.ready = 'true';
