/** The form that people log in with. */
import { type Html, html } from './html.js';
import { page, type Site } from './page.js';

export interface LoginView {
  refusal?: string;
  /** Where to go then: a path of this service. */
  next: string;
  isLoginFormEnabled: boolean;
  /** What the button to single sign-on says; absent where there is none. */
  singleSignOn?: string;
}

export const loginPage = (site: Site, view: LoginView): string =>
  page(
    { title: 'Log in', path: '/login' },
    site,
    html`<h1>Log in</h1>
${view.refusal === undefined ? undefined : html`<p role="alert">${view.refusal}</p>`}
${view.isLoginFormEnabled ? form(site, view) : undefined}
${view.singleSignOn === undefined ? undefined : html`<p><a href="${site.root}/login/sso?next=${encodeURIComponent(view.next)}">${view.singleSignOn}</a></p>`}`,
  );

const form = (site: Site, view: LoginView): Html =>
  html`<form method="post" action="${site.root}/login">
<input type="hidden" name="next" value="${view.next}">
<p><label for="login">Login</label> <input id="login" name="login" autocomplete="username" required></p>
<p><label for="password">Password</label> <input id="password" name="password" type="password" autocomplete="current-password" required></p>
<p><button>Log in</button></p>
</form>`;
