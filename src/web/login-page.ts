/** The form that people log in with. Without scripts: nothing that may go wrong stands between them and their work. */
import { textField } from './form-fields.js';
import { type Html, html } from './html.js';
import { page, type Site } from './page.js';

export interface LoginView {
  companyName?: string;
  refusal?: string;
  /** What was given as the login before. */
  login: string;
  /** Where to go then: a path of this service. */
  next: string;
  isLoginFormEnabled: boolean;
  /** What the button to single sign-on says; absent where there is none. */
  singleSignOn?: string;
}

export const loginPage = (site: Site, view: LoginView): string =>
  page(
    { title: titleOf(view), path: '/login', styles: ['fields.css', 'forms.css'] },
    site,
    html`<div class="door">
${view.companyName === undefined ? undefined : html`<p class="kind" dir="auto">${view.companyName}</p>`}
<h1>Log in</h1>
${view.refusal === undefined ? undefined : html`<p class="problem" role="alert" id="refusal">${view.refusal}</p>`}
${view.isLoginFormEnabled ? form(site, view) : undefined}
${view.isLoginFormEnabled && view.singleSignOn !== undefined ? html`<p class="or" role="separator"><span>or</span></p>` : undefined}
${view.singleSignOn === undefined ? undefined : signOn(site, view, view.singleSignOn)}
${view.isLoginFormEnabled || view.singleSignOn !== undefined ? undefined : html`<p>Logging in by password is disabled, and there is no other way at the moment. Ask an administrator.</p>`}
</div>`,
  );

/** A reader that was sent back here hears first that something is wrong. */
const titleOf = ({ refusal, companyName }: LoginView): string =>
  `${refusal === undefined ? '' : 'Not logged in: '}Log in · ${companyName ?? 'Worktrack'}`;

function form(site: Site, { next, login, refusal }: LoginView): Html {
  const refusedBy = refusal === undefined ? undefined : 'refusal';
  const isKnown = login !== '';
  const fields = [
    textField({
      name: 'login',
      label: 'Login',
      autocomplete: 'username',
      isRequired: true,
      value: login || undefined,
      isFirst: !isKnown,
      refusedBy,
    }),
    textField({
      name: 'password',
      label: 'Password',
      type: 'password',
      autocomplete: 'current-password',
      isRequired: true,
      isFirst: isKnown,
      refusedBy,
    }),
  ];
  return html`<form method="post" action="${site.root}/login">
<input type="hidden" name="next" value="${next}">
${fields}<button class="main">Log in</button>
</form>`;
}

const signOn = ({ root }: Site, { next, isLoginFormEnabled }: LoginView, words: string): Html =>
  html`<p><a class="button${isLoginFormEnabled ? '' : ' main'}" href="${root}/login/sso?next=${encodeURIComponent(next)}">${words}</a></p>`;
