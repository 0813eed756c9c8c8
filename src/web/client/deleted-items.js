/** Deleted projects or users: a list from which they are restored. */
import { call, root } from './calls.js';
import { dataTable, name } from './data-table.js';
import { ago, dateIn } from './dates.js';
import { confirmed } from './dialogs.js';
import { button, byId, element } from './dom.js';
import { announce } from './messages.js';
import { pagedList, shown } from './paged-list.js';
import { query } from './spell.js';

/**
 * @typedef {{ firstName: string | null, lastName: string | null, email: string | null }} Person
 * @typedef {{ id: number, name?: string, deleteDate: string, lastEditor?: Person | null, role?: { name: string } | null
 * } & Partial<Person>} Item
 */

const page = byId('page', HTMLElement);
const isProjects = page.dataset.kind === 'projects';

/** @param {Partial<Person>} person */
const personOf = ({ firstName, lastName, email }) =>
  [firstName, lastName].filter(Boolean).join(' ') || email || 'somebody';

/** @param {Item} item */
const nameOf = (item) => (isProjects ? item.name || `Project ${item.id}` : personOf(item));

const list = pagedList({
  nouns: isProjects ? 'deleted projects' : 'deleted users',
  async load({ search, skip }, signal) {
    // One more than is shown tells whether there are more.
    const asked = query({ search, take: shown + 1, skip: skip || undefined });
    /** @type {Item[]} */
    const items = await call(`/api/deleteditems/v1/${page.dataset.kind}${asked}`, { signal });
    return { items: items.slice(0, shown), hasMore: items.length > shown };
  },
  draw: (/** @type {Item[]} */ items) =>
    isProjects
      ? dataTable(
          'Deleted projects',
          [
            { name: 'Name' },
            { name: 'Id' },
            { name: 'Deleted' },
            { name: 'Deleted by' },
            { name: 'Restore', isAction: true },
          ],
          items.map((item) => [
            name(nameOf(item)),
            String(item.id),
            ago(dateIn(item.deleteDate), ''),
            item.lastEditor ? name(personOf(item.lastEditor)) : undefined,
            restoreButton(item),
          ]),
        )
      : dataTable(
          'Deleted users',
          [
            { name: 'Name' },
            { name: 'E-mail' },
            { name: 'Role' },
            { name: 'Id' },
            { name: 'Deleted' },
            { name: 'Restore', isAction: true },
          ],
          items.map((item) => [
            name(nameOf(item)),
            item.email ? name(item.email) : undefined,
            item.role?.name,
            String(item.id),
            ago(dateIn(item.deleteDate), ''),
            restoreButton(item),
          ]),
        ),
});

/** @param {Item} item */
const restoreButton = (item) =>
  button('Restore', () => void restore(item), { class: 'small', 'aria-label': `Restore ${nameOf(item)}` });

/** @param {Item} item */
async function restore(item) {
  const what = element('strong', {}, name(nameOf(item)));
  const isDone = await confirmed({
    title: isProjects ? 'Restore project' : 'Restore user',
    text: isProjects
      ? [what, ' comes back with everything that was deleted with it, for all its members to see.']
      : [what, ' is listed again and, if active, can log in as before.'],
    words: 'Restore',
    isDanger: false,
    act: () => call(`/api/DeletedItems/v1/${isProjects ? 'Projects' : 'Users'}/${item.id}/Restore`, { method: 'POST' }),
  });
  if (!isDone) return;
  await list.show();
  const address = isProjects ? `/entity/${item.id}` : `/administration/users/${item.id}`;
  const link = element('a', { href: root + address }, name(nameOf(item)));
  announce(link, ' is restored.');
  link.focus();
}

await list.show();
page.dataset.ready = 'true';
