/** The pages of users, for administrators: all of them, one, and a new one. */
import { administrationPage, listing } from './administration-frame.js';
import { checkField, choiceField, complaints, newPasswordField, textField } from './form-fields.js';
import { type Html, html } from './html.js';
import type { Site } from './page.js';

const path = '/administration/users';

const kinds = [
  ['', 'all'],
  ['active', 'active'],
  ['inactive', 'inactive'],
  ['administrators', 'administrators'],
  ['locked', 'locked'],
] as const;

export const usersPage = (site: Site): string =>
  administrationPage(
    { title: 'Users', path, script: 'users.js' },
    site,
    html`<div class="head"><h1>Users</h1> <a class="button main" href="${site.root}${path}/new">Create user</a></div>`,
    listing('Name, login or e-mail', choiceField({ name: 'show', label: 'Show', id: 'search-show' }, kinds)),
  );

export const newUserPage = (site: Site): string =>
  administrationPage(
    { title: 'Create user', path, script: 'new-user.js' },
    site,
    html`<p class="kind"><a href="${site.root}${path}">Users</a></p>\n<h1>Create user</h1>`,
    html`<form id="user" class="narrow" aria-label="New user" novalidate hidden>
${complaints}${ownFields}${newPasswordField({
  name: 'Password',
  label: 'Password',
  note: 'Give it to the user, who changes it in the profile.',
})}<div class="actions" id="password-tools"></div>
${rights}<div class="actions"><button class="main">Create user</button></div>
</form>`,
  );

/** Whoever it is about is known already, so that an address of nobody is answered as such. */
export const userPage = (user: { id: number; name: string; isSelf: boolean }, site: Site): string =>
  administrationPage(
    { title: user.name, path, script: 'user.js', data: { user: String(user.id), self: String(user.isSelf) } },
    site,
    html`<p class="kind"><a href="${site.root}${path}">Users</a></p>\n<h1 id="name" dir="auto">${user.name}</h1>`,
    html`<div id="details" hidden>
<dl class="facts" id="facts"></dl>
<section aria-labelledby="user-heading"><h2 id="user-heading">Details</h2>
<form id="user" class="narrow" aria-labelledby="user-heading" novalidate>
${complaints}${ownFields}${rights}<div class="actions"><button class="main">Save</button></div>
</form></section>
<section aria-labelledby="access-heading"><h2 id="access-heading">Log-in</h2>
<div class="acts" id="access"></div></section>
<section aria-labelledby="tokens-heading"><h2 id="tokens-heading">Access Tokens</h2>
<p class="note">Only the owner can create them; you can delete them.</p>
<div id="tokens"></div></section>
</div>
<div class="problem" role="alert" id="load-problem"></div>`,
  );

const ownFields: Html = html`<div class="pair">${textField({ name: 'FirstName', label: 'First name', maxLength: 255 })}${textField({ name: 'LastName', label: 'Last name', maxLength: 255 })}</div>
${textField({ name: 'Login', label: 'Login', isRequired: true, maxLength: 255 })}${textField({ name: 'Email', label: 'E-mail', type: 'email', isRequired: true, maxLength: 255 })}`;

const rights: Html = html`${choiceField({ name: 'Role', label: 'Role' }, [])}${checkField({
  name: 'IsAdministrator',
  label: 'Administrator',
  note: 'Sees and changes everything, these pages included.',
})}${checkField({ name: 'IsObserver', label: 'Observer', note: 'Reads, and writes nothing but comments.' })}`;
