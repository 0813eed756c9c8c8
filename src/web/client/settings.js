/** The settings of the service, and the password of the System user. */
import { call } from './calls.js';
import { confirmed } from './dialogs.js';
import { byId } from './dom.js';
import { changes, fill, inputOf, sends } from './forms.js';
import { announce } from './messages.js';

const page = byId('page', HTMLElement);
const form = byId('settings', HTMLFormElement);
const system = byId('system', HTMLFormElement);
const address = '/api/v1/GlobalSettings';
/** @type {Record<string, unknown>} */
let before = {};

/** @param {Record<string, unknown>} settings */
function show(settings) {
  fill(form, settings, before);
  before = settings;
  const isEnabled = inputOf(form, 'IsLoginFormEnabled');
  // Once it is off it can be switched on again, whatever there is besides.
  isEnabled.disabled = page.dataset.signOn !== 'true' && isEnabled.checked;
}

sends(form, async () => {
  const body = changes(form, before);
  if (Object.keys(body).length === 0) {
    announce('Nothing was changed.');
    return;
  }
  const settings = await call(address, { method: 'POST', body });
  before = { ...before, ...body };
  show(settings);
  announce('The settings are saved.');
});

const [password, repeat] = [inputOf(system, 'SystemPassword'), inputOf(system, 'Repeat')];
sends(
  system,
  async () => {
    await call(address, { method: 'POST', body: { SystemPassword: password.value } });
    system.reset();
    announce('The System user has a new password.');
  },
  () => (password.value === repeat.value ? undefined : ['Repeat', 'This is not the same as the new password.']),
);
byId('remove-password', HTMLButtonElement).addEventListener('click', async () => {
  const isDone = await confirmed({
    title: 'Remove the password of the System user',
    text: 'Programs that call as the System user, by its password or its token, stop working.',
    words: 'Remove',
    act: () => call(address, { method: 'POST', body: { SystemPassword: '' } }),
  });
  if (isDone) announce('The System user has no password: nobody can be it.');
});

try {
  const { Items } = await call(address);
  show(Items[0]);
  form.hidden = false;
  system.hidden = false;
} catch (error) {
  byId('load-problem', HTMLElement).textContent = error instanceof Error ? error.message : String(error);
}
page.dataset.ready = 'true';
