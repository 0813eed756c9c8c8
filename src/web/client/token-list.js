/** The access tokens of one user, as a table, with the means to delete them. */
import { call } from './calls.js';
import { dataTable, name } from './data-table.js';
import { ago, dateIn, onDay } from './dates.js';
import { confirmed } from './dialogs.js';
import { button, element } from './dom.js';
import { holdFocus } from './focus.js';
import { announce } from './messages.js';
import { query } from './spell.js';

/**
 * @typedef {{ Id: number, Name: string, IssueDate: string, LastUseDate: string | null, ExpireDate: string | null,
 * IsReadOnly: boolean }} Token
 * @param {HTMLElement} place
 * @param {number} user
 * @param {string} none what to say where there are none
 */
export function tokenList(place, user, none) {
  async function draw() {
    const asked = query({
      where: `User.Id eq ${user}`,
      include: '[Name,IssueDate,LastUseDate,ExpireDate,IsReadOnly]',
      take: 1000,
    });
    /** @type {Token[]} */
    const tokens = (await call(`/api/v1/AccessTokens${asked}`)).Items;
    place.replaceChildren(tokens.length === 0 ? element('p', { class: 'none' }, none) : tableOf(tokens));
  }

  /** @param {Token[]} tokens */
  const tableOf = (tokens) =>
    dataTable(
      'Access Tokens',
      [
        { name: 'Name' },
        { name: 'Issued' },
        { name: 'Last used' },
        { name: 'Expires' },
        { name: 'Access' },
        { name: 'Delete', isAction: true },
      ],
      tokens.map((token) => [
        name(token.Name),
        ago(dateIn(token.IssueDate), ''),
        ago(dateIn(token.LastUseDate), 'never'),
        expiryOf(dateIn(token.ExpireDate)),
        token.IsReadOnly ? 'read only' : 'read and write',
        button('Delete', () => void remove(token), { class: 'danger small', 'aria-label': `Delete ${token.Name}` }),
      ]),
    );

  /** @param {Token} token */
  async function remove(token) {
    const isDone = await confirmed({
      title: 'Delete access token',
      text: [
        'The program that uses ',
        element('strong', {}, name(token.Name)),
        ' can no longer call the service. This cannot be taken back.',
      ],
      words: 'Delete',
      act: () => call(`/api/v1/AccessTokens/${token.Id}`, { method: 'DELETE' }),
    });
    if (!isDone) return;
    const release = holdFocus();
    await show();
    release();
    announce('The access token ', name(token.Name), ' is deleted.');
  }

  /** Says why there is no list rather than nothing. */
  const show = () =>
    draw().catch((error) => {
      place.replaceChildren(element('p', { class: 'problem', role: 'alert' }, error.message));
    });
  return { show };
}

/** @param {Date | undefined} date */
function expiryOf(date) {
  if (date === undefined) return 'never';
  if (date <= new Date()) return [element('span', { class: 'badge bad' }, 'expired'), onDay(date)];
  return onDay(date);
}
