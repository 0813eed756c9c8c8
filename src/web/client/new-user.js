/** The form that creates a user. */
import { call, root } from './calls.js';
import { button, byId, element } from './dom.js';
import { randomPassword, showButton } from './fields.js';
import { inputOf, sends, valuesOf } from './forms.js';
import { announce, showProblem } from './messages.js';
import { offerRoles, withRole } from './roles.js';

const form = byId('user', HTMLFormElement);
const password = inputOf(form, 'Password');
const { toggle, show } = showButton([password]);
const generate = button('Generate', () => {
  password.value = randomPassword();
  show(true);
  password.focus();
  password.select();
});
byId('password-tools', HTMLElement).append(toggle, generate);

sends(form, async () => {
  const { Role, ...values } = valuesOf(form);
  // What is left empty is left to the service.
  const body = { ...values, ...(Role === null ? {} : withRole({ Role })), Password: password.value };
  const { Id, FullName, Login } = await call('/api/v1/Users?include=[FullName,Login]', { method: 'POST', body });
  form.reset();
  show(false);
  const link = element(
    'a',
    { href: `${root}/administration/users/${Id}` },
    element('bdi', {}, FullName.trim() || Login),
  );
  announce(link, ' can log in now.');
  link.focus();
});

await offerRoles(form, true).catch(showProblem);
form.hidden = false;
inputOf(form, 'FirstName').focus();
byId('page', HTMLElement).dataset.ready = 'true';
