/**
 * What administrators do with the log-in of a user. Each is named, explained and, where it takes something away,
 * confirmed.
 */
import { call, root } from './calls.js';
import { dateIn, distance } from './dates.js';
import { confirmed } from './dialogs.js';
import { button, byId, element } from './dom.js';
import { holdFocus } from './focus.js';
import { busy } from './forms.js';
import { announceChange, showProblem } from './messages.js';
import { resetPassword } from './reset-password.js';

/**
 * @typedef {{
 *   user: import('./user.js').User,
 *   isSelf: boolean,
 *   lock: import('./user.js').Lock | undefined,
 *   name: string,
 *   changed(): Promise<void>,
 *   gone(name: string): void,
 * }} Situation
 */

/** @param {Situation} situation @returns {HTMLElement[]} */
export function accessActs({ user, isSelf, lock, name, changed, gone }) {
  const address = `/api/v1/Users/${user.Id}`;
  const isolated = () => element('bdi', {}, name);
  const who = () =>
    element('strong', {}, isolated(), ...(user.Login === null ? [] : [' (', element('bdi', {}, user.Login), ')']));

  /** Acts without asking first. @param {() => Promise<unknown>} act @param {...(Node | string)} words */
  async function run(act, ...words) {
    const ready = busy(byId('access', HTMLElement));
    try {
      await act();
      await showChange(...words);
    } catch (error) {
      showProblem(error);
    } finally {
      ready();
    }
  }

  /** @param {Parameters<typeof confirmed>[0]} question @param {...(Node | string)} words */
  async function ask(question, ...words) {
    if (await confirmed(question)) await showChange(...words);
  }

  /**
   * Shows how things are now, with buttons of their own, and says what was done. @param {...(Node | string)} words
   */
  async function showChange(...words) {
    const release = holdFocus();
    await announceChange(changed, ...words);
    release();
  }

  /** @param {boolean} IsActive */
  const activate = (IsActive) => call(address, { method: 'POST', body: { IsActive } });

  const unlock = () =>
    act(
      'Locked',
      `Too many wrong passwords; locked until ${lockedUntil(lock)}. Tokens work all the same.`,
      button(
        'Unlock',
        () =>
          void run(() => call(`/api/v1/LoginAttempts/${lock?.Id}`, { method: 'DELETE' }), isolated(), ' is unlocked.'),
      ),
    );

  const password = () =>
    isSelf
      ? act('Password', 'Your own is changed in the profile.', element('a', { href: `${root}/profile` }, 'Profile'))
      : act(
          'Password',
          'A new one ends all sessions and the service token.',
          button(
            'Reset password',
            async () => {
              const isDone = await resetPassword(address, user.Login ?? '', who());
              if (isDone) await showChange('The password of ', isolated(), ' is reset.');
            },
            { id: 'act-password' },
          ),
        );

  const renew = () =>
    act(
      'Service token',
      'Programs that use it need a new one then, which its owner finds in the profile.',
      button(
        'Revoke service token',
        () =>
          void ask(
            {
              title: 'Revoke service token',
              text: [
                'Programs that use the service token of ',
                who(),
                ' stop working until they are given the new one.',
              ],
              words: 'Revoke',
              act: async () => {
                await call(`/api/v1/Authentication?login=${encodeURIComponent(user.Login ?? '')}`, { method: 'POST' });
              },
            },
            'The service token of ',
            isolated(),
            ' is revoked.',
          ),
        { id: 'act-token', class: 'danger' },
      ),
    );

  const deactivation = () =>
    user.IsActive
      ? act(
          'Active',
          isSelf
            ? 'You cannot deactivate yourself.'
            : 'An inactive user cannot log in, and no token of theirs works. Nothing they made is lost.',
          button(
            'Deactivate',
            () =>
              void ask(
                {
                  title: 'Deactivate user',
                  text: [
                    who(),
                    ' is logged out and cannot log in any more; programs with the tokens of this user stop working.',
                  ],
                  words: 'Deactivate',
                  act: () => activate(false),
                },
                isolated(),
                ' is deactivated.',
              ),
            { id: 'act-activity', class: 'danger', disabled: isSelf },
          ),
        )
      : act(
          'Inactive',
          'Cannot log in, and no token works.',
          button('Activate', () => void run(() => activate(true), isolated(), ' is active.'), { id: 'act-activity' }),
        );

  const deletion = () =>
    act(
      'Delete',
      isSelf ? 'You cannot delete yourself.' : 'Can be undone in the list of deleted users.',
      button(
        'Delete user',
        async () => {
          const isDone = await confirmed({
            title: 'Delete user',
            text: [who(), ' is logged out, cannot log in any more and is listed nowhere but among the deleted users.'],
            words: 'Delete',
            act: () => call(address, { method: 'DELETE' }),
          });
          if (isDone) gone(name);
        },
        { id: 'act-deletion', class: 'danger', disabled: isSelf },
      ),
    );

  return [...(lock ? [unlock()] : []), password(), ...(user.IsActive ? [renew()] : []), deactivation(), deletion()];
}

/** @param {string} name @param {string} words @param {HTMLElement} control */
const act = (name, words, control) =>
  element(
    'div',
    { class: 'act' },
    element('div', {}, element('p', {}, name), element('p', { class: 'note' }, words)),
    control,
  );

/** @param {Situation['lock']} lock */
function lockedUntil(lock) {
  const until = dateIn(lock?.LockedUntil);
  return until === undefined
    ? 'it is unlocked'
    : `${until.toLocaleTimeString('en-GB', { timeStyle: 'short' })} (${distance(until)})`;
}
