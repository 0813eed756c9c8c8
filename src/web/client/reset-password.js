/** The dialog in which an administrator gives a user a new password: typed twice, or generated and shown. */
import { call } from './calls.js';
import { openDialog } from './dialogs.js';
import { button, element } from './dom.js';
import { randomPassword, showButton, textField } from './fields.js';
import { secret } from './secret.js';

const rule = 'At least 8 characters; none of the most common passwords, and not the login.';

/**
 * @param {string} address of the user @param {string} login @param {Node} who @returns {Promise<boolean>} whether it
 * was reset
 */
export async function resetPassword(address, login, who) {
  const hidden = { type: 'password', autocomplete: 'new-password', required: true };
  const fresh = textField('Password', 'New password', { ...hidden, minlength: '8' }, rule);
  const repeat = textField('Repeat', 'New password once more', hidden);
  const { toggle, show } = showButton([fresh.input, repeat.input]);
  let generated = '';
  const generate = button('Generate', () => {
    generated = randomPassword();
    fresh.input.value = generated;
    repeat.input.value = generated;
    show(true);
    fresh.input.focus();
    fresh.input.select();
  });
  const name = who.cloneNode(true);
  const isDone = await openDialog({
    title: 'Reset password',
    content: [
      element('p', {}, who, ' is logged out everywhere, and the service token ends. Access tokens stay.'),
      // For what keeps passwords: it is to know whose this is.
      element('input', { autocomplete: 'username', value: login, hidden: true }),
      fresh.field,
      repeat.field,
      element('div', { class: 'actions' }, generate, toggle),
    ],
    words: 'Reset password',
    isDanger: false,
    act: () => call(address, { method: 'POST', body: { Password: fresh.input.value } }),
    check: () =>
      fresh.input.value === repeat.input.value ? undefined : ['Repeat', 'This is not the same as the new password.'],
  });
  if (isDone && generated !== '' && fresh.input.value === generated) {
    await openDialog({
      title: 'The new password',
      content: [
        element(
          'p',
          { class: 'warning' },
          'Give it to ',
          name,
          ' now. It is shown only once and cannot be looked up later.',
        ),
        secret('New password', generated),
      ],
      close: 'Close',
    });
  }
  return isDone;
}
