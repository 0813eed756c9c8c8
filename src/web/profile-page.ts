/** The profile as HTML: who somebody is here, and the credentials that are somebody's own. */
import { complaints, newPasswordField, textField } from './form-fields.js';
import { type Html, html } from './html.js';
import { page, type Site } from './page.js';
import type { ProfileView } from './profile-view.js';

export const profilePage = (profile: ProfileView, site: Site): string =>
  page(
    { title: 'Profile · Worktrack', path: '/profile', styles: ['fields.css', 'forms.css'], scripts: ['profile.js'] },
    site,
    html`<div id="page" data-root="${site.root}" data-user="${profile.id}">
<header><p class="kind">Profile</p>
<h1 dir="auto">${profile.name}</h1></header>
${facts(profile)}
<noscript><p class="problem">Passwords and tokens are changed with the help of JavaScript, which does not run here.</p></noscript>
<p id="status" class="done message" role="status"></p>
${profile.isPerson ? accessTokens : undefined}${serviceToken}${profile.isPerson ? password(profile.login) : systemPassword(site)}</div>`,
  );

const facts = ({ login, email, role, projects, teams, isPerson }: ProfileView): Html =>
  html`<dl class="facts">
${fact('Login', login)}${fact('E-mail', email)}${fact('Role', role)}${isPerson ? fact('Member of', `${counted(projects, 'project')}, ${counted(teams, 'team')}`) : undefined}</dl>`;

const fact = (name: string, value: string | undefined): Html =>
  value === undefined ? html`` : html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>\n`;

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

const accessTokens = html`<section aria-labelledby="tokens-heading">
<div class="head"><h2 id="tokens-heading">Access Tokens</h2>
<button type="button" id="create-token" class="main" hidden>Create access token</button></div>
<p class="note">One for each program that works on your behalf. It can do what you can, and outlives a change of your password.</p>
<div id="tokens"></div>
</section>
`;

const serviceToken = html`<section aria-labelledby="service-token-heading">
<h2 id="service-token-heading">Service token</h2>
<p class="note">There is one, and it ends when your password changes. Programs send it as the parameter <code>token</code>. Safer is an access token for each program.</p>
<div id="service-token" class="actions"></div>
</section>
`;

const password = (login: string | undefined): Html => html`<section aria-labelledby="password-heading">
<h2 id="password-heading">Password</h2>
<p class="note">A new one logs you out everywhere else and ends your service token; access tokens stay.</p>
<form id="password" class="narrow" aria-labelledby="password-heading" hidden novalidate>
<input autocomplete="username" value="${login ?? ''}" hidden>
${complaints}${textField({ name: 'CurrentPassword', label: 'Current password', type: 'password', autocomplete: 'current-password', isRequired: true })}${newPasswordField({ name: 'NewPassword', label: 'New password' })}${textField({ name: 'Repeat', label: 'New password once more', type: 'password', autocomplete: 'new-password', isRequired: true })}<div class="actions"><button class="main">Change password</button> <button type="button" id="show-passwords" aria-pressed="false">Show passwords</button></div>
</form>
</section>
`;

const systemPassword = ({ root }: Site): Html => html`<section aria-labelledby="password-heading">
<h2 id="password-heading">Password</h2>
<p>The password of the System user is one of the <a href="${root}/administration/settings">settings</a>.</p>
</section>
`;
