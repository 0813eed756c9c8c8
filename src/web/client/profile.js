/** The profile: access tokens, the service token, and the password. */
import { call } from './calls.js';
import { confirmed } from './dialogs.js';
import { button, byId, element } from './dom.js';
import { shows } from './fields.js';
import { busy, inputOf, sends } from './forms.js';
import { announce, wordsOf } from './messages.js';
import { newToken } from './new-token.js';
import { secret } from './secret.js';
import { tokenList } from './token-list.js';

const page = byId('page', HTMLElement);

// --- access tokens ---------------------------------------------------------------------------------------------------

const create = document.getElementById('create-token');
if (create) {
  const list = tokenList(byId('tokens', HTMLElement), Number(page.dataset.user), 'None yet.');
  create.hidden = false;
  create.addEventListener('click', async () => {
    const name = await newToken();
    if (name === undefined) return;
    await list.show();
    announce('The access token ', element('bdi', {}, name), ' is created.');
  });
  await list.show();
}

// --- the service token -----------------------------------------------------------------------------------------------

const place = byId('service-token', HTMLElement);
const show = button('Show', () => void tokenFrom(call('/api/v1/Authentication')));
const renew = button('Issue a new one', () => void renewed());
place.append(show, renew);

/** @param {Promise<{ Token: string }>} asking */
async function tokenFrom(asking) {
  const ready = busy(place);
  try {
    const { Token } = await asking;
    ready();
    showToken(Token);
  } catch (error) {
    ready();
    problem(wordsOf(error));
  }
}

/** @param {string} token */
function showToken(token) {
  const box = secret('Service token', token);
  place.querySelector('.problem')?.remove();
  place.querySelector('.secret')?.remove();
  place.prepend(box);
  show.hidden = true;
  box.querySelector('input')?.focus();
}

function hideToken() {
  place.querySelector('.secret')?.remove();
  show.hidden = false;
}

/** @param {(Node | string)[]} words */
function problem(words) {
  place.querySelector('.problem')?.remove();
  place.prepend(element('p', { class: 'problem', role: 'alert' }, ...words));
}

async function renewed() {
  let token = '';
  const isDone = await confirmed({
    title: 'Issue a new service token',
    text: 'The present one stops working at once: every program that uses it must be given the new one.',
    words: 'Issue a new one',
    act: async () => {
      token = (await call('/api/v1/Authentication', { method: 'POST' })).Token;
    },
  });
  if (!isDone) return;
  announce('You have a new service token.');
  showToken(token);
}

// --- the password ----------------------------------------------------------------------------------------------------

const form = document.getElementById('password');
if (form instanceof HTMLFormElement) {
  const [current, fresh, repeat] = [
    inputOf(form, 'CurrentPassword'),
    inputOf(form, 'NewPassword'),
    inputOf(form, 'Repeat'),
  ];
  const display = shows([current, fresh, repeat], byId('show-passwords', HTMLButtonElement));
  sends(
    form,
    async () => {
      const body = { CurrentPassword: current.value, NewPassword: fresh.value };
      await call('/api/v1/Users/LoggedUser/Password', { method: 'POST', body });
      form.reset();
      display(false);
      hideToken();
      announce('Your password is changed. You are logged out everywhere else.');
    },
    () => (fresh.value === repeat.value ? undefined : ['Repeat', 'This is not the same as the new password.']),
  );
  form.hidden = false;
}
page.dataset.ready = 'true';
