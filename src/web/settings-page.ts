/** The page of the settings that administrators make for all. */
import { administrationPage } from './administration-frame.js';
import { checkField, choiceField, complaints, newPasswordField, textField } from './form-fields.js';
import { html } from './html.js';
import type { Site } from './page.js';

/** `hasSignOn` tells whether people can log in without the form. */
export const settingsPage = (hasSignOn: boolean, site: Site): string =>
  administrationPage(
    {
      title: 'Settings',
      path: '/administration/settings',
      script: 'settings.js',
      data: { 'sign-on': String(hasSignOn) },
    },
    site,
    html`<h1>Settings</h1>`,
    html`<div class="problem" role="alert" id="load-problem"></div>
<form id="settings" class="narrow" aria-label="Settings" novalidate hidden>
${complaints}${textField({ name: 'CompanyName', label: 'Company name', maxLength: 255, note: 'Shown where people log in.' })}${choiceField(
  {
    name: 'DefaultRichEditor',
    label: 'Rich text',
    note: 'What descriptions and comments are that do not say it themselves.',
  },
  [
    ['', 'as the environment of the service says'],
    ['Html', 'HTML'],
    ['Markdown', 'Markdown'],
  ],
)}${checkField({
  name: 'IsLoginFormEnabled',
  label: 'People may log in by password',
  note: hasSignOn
    ? 'Without it single sign-on is the only way to the pages, and Basic authentication is closed to the System user.'
    : 'Cannot be switched off: single sign-on is not set up, so nobody could log in any more.',
})}${textField({ name: 'AccessTokenLimit', label: 'Access tokens of one user, at most', type: 'number', min: 0, max: 10_000, isRequired: true })}${textField(
  {
    name: 'SessionIdleMinutes',
    label: 'A session ends after so many minutes without use',
    type: 'number',
    min: 5,
    max: 43_200,
    isRequired: true,
  },
)}${textField({ name: 'SessionHours', label: 'A session ends in any case after so many hours', type: 'number', min: 1, max: 8_760, isRequired: true })}<div class="actions"><button class="main">Save settings</button></div>
</form>
<section aria-labelledby="system-heading"><h2 id="system-heading">System user</h2>
<p class="note">Stands for the service itself and may do everything. Its token works only once it has a password; without one nobody can be it.</p>
<form id="system" class="narrow" aria-labelledby="system-heading" novalidate hidden>
<input autocomplete="username" value="System" hidden>
${complaints}${newPasswordField({ name: 'SystemPassword', label: 'New password' })}${textField({
  name: 'Repeat',
  label: 'New password once more',
  type: 'password',
  autocomplete: 'new-password',
  isRequired: true,
})}<div class="actions"><button class="main">Set password</button> <button type="button" id="remove-password" class="danger">Remove password</button></div>
</form></section>`,
  );
