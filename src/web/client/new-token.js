/** The dialog that makes an access token, and the one that shows it. */
import { call } from './calls.js';
import { openDialog } from './dialogs.js';
import { element } from './dom.js';
import { checkField, choiceField, textField } from './fields.js';
import { secret } from './secret.js';

/** Resolves with the name of what was made, once its value was shown. @returns {Promise<string | undefined>} */
export async function newToken() {
  const name = textField('Name', 'Name', { required: true, maxlength: '255' }, 'The program that is going to use it.');
  const expiry = choiceField('', 'Expires', [
    ['', 'never'],
    ['30', 'in 30 days'],
    ['90', 'in 90 days'],
    ['365', 'in a year'],
    ['day', 'on a day'],
  ]);
  const last = textField('ExpireDate', 'Last day of use', {
    type: 'date',
    min: localDay(new Date()),
    max: '9999-12-30',
  });
  const readOnly = checkField('IsReadOnly', 'Read only', 'The program sees what you see, and can change nothing.');
  const showsDay = () => {
    last.field.hidden = expiry.select.value !== 'day';
    last.input.required = !last.field.hidden;
  };
  expiry.select.addEventListener('change', showsDay);
  showsDay();
  /** @type {{ Name: string, Token: string } | undefined} */
  let made;
  await openDialog({
    title: 'Create access token',
    content: [name.field, expiry.field, last.field, readOnly.field],
    words: 'Create',
    act: async () => {
      const body = {
        Name: name.input.value.trim(),
        ExpireDate: expiryOf(expiry.select.value, last.input.value),
        IsReadOnly: readOnly.input.checked,
      };
      made = await call('/api/v1/AccessTokens', { method: 'POST', body });
    },
  });
  if (!made) return undefined;
  const { Name, Token } = made;
  await openDialog({
    title: 'Your new access token',
    content: [
      element('p', { class: 'warning' }, 'Copy it now. It is shown only once and cannot be looked up later.'),
      secret(Name, Token),
      element('p', { class: 'note' }, 'A program sends it in the header Authorization, as Bearer and the token.'),
    ],
    close: 'Close',
  });
  return Name;
}

/** The moment from which on it is refused. @param {string} choice @param {string} day */
function expiryOf(choice, day) {
  if (choice === '') return undefined;
  const date = choice === 'day' ? new Date(`${day}T00:00`) : new Date();
  date.setDate(date.getDate() + (choice === 'day' ? 1 : Number(choice)));
  return date.toISOString();
}

/** @param {Date} date */
const localDay = (date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
