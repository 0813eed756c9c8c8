/** Shows an answer as a table, or as coloured text; of a long one the beginning, and more when asked. */
import { cellOf, columnsOf, itemsOf } from './answer-table.js';
import { button, element } from './dom.js';
import { jsonLines, xmlLines } from './pretty.js';

/**
 * @typedef {import('./answer-table.js').Cell} Cell
 * @typedef {import('./answer-table.js').Entity} Entity
 * @typedef {'table' | 'json' | 'xml'} View
 * @typedef {{ root: string, generals: ReadonlySet<string>, isRich(name: string): boolean }} Site
 * `generals` are the resources whose entities have a page
 */

const rowsAtOnce = 200;
const linesAtOnce = 1000;

/** @param {string} text @param {View} view @param {Site} site @returns {HTMLElement} */
export function answerView(text, view, site) {
  if (view === 'table') return tableOf(itemsOf(JSON.parse(text)), site);
  const lines = view === 'json' ? jsonLines(text) : xmlLines(text);
  const code = element('code');
  const made = element('pre', { class: 'answer-text', tabindex: 0, 'aria-label': 'Answer as text' }, code);
  return grown(made, lines, linesAtOnce, 'lines', (some) =>
    code.append(...some.flatMap((line) => [...line.map(pieceOf), '\n'])),
  );
}

/** @param {import('./pretty.js').Piece} piece */
const pieceOf = ([kind, text]) => (kind === 'plain' ? text : element('span', { class: `is-${kind}` }, text));

/**
 * Puts in the first of them, and a button for more below.
 * @template T
 * @param {HTMLElement} shown
 * @param {readonly T[]} all
 * @param {number} atOnce
 * @param {string} words
 * @param {(some: readonly T[]) => void} put
 */
function grown(shown, all, atOnce, words, put) {
  let count = 0;
  const note = element('span');
  const more = button(`Show more ${words}`, () => add(), { class: 'small' });
  const rest = element('p', { class: 'rest' }, note, ' ', more);
  function add() {
    put(all.slice(count, count + atOnce));
    count = Math.min(all.length, count + atOnce);
    note.textContent = `${count} of ${all.length} ${words} shown.`;
    rest.hidden = count === all.length;
  }
  add();
  return element('div', {}, shown, rest);
}

/** @param {Entity[]} items @param {Site} site */
function tableOf(items, site) {
  if (items.length === 0) return element('p', { class: 'none' }, 'No items.');
  const columns = columnsOf(items);
  const head = element('tr', {}, ...columns.map((name) => element('th', { scope: 'col' }, name)));
  const body = element('tbody');
  const table = element(
    'table',
    {},
    element('caption', { class: 'hidden' }, 'Items of the answer'),
    element('thead', {}, head),
    body,
  );
  const frame = element(
    'div',
    { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Answer as a table' },
    table,
  );
  return grown(frame, items, rowsAtOnce, 'rows', (some) =>
    body.append(...some.map((item) => rowOf(item, columns, site))),
  );
}

/** @param {Entity} item @param {readonly string[]} columns @param {Site} site */
const rowOf = (item, columns, site) =>
  element(
    'tr',
    {},
    ...columns.map((name) => {
      const value = item[name];
      if (name === 'Id' && typeof value === 'number')
        return element('td', { class: 'is-id' }, linked(String(value), value, String(item.ResourceType), site));
      const cell = cellOf(value, name, site.isRich);
      return element('td', { class: cell.kind === 'number' ? 'is-number' : `is-${cell.kind}` }, shownCell(cell, site));
    }),
  );

/** @param {Cell} cell @param {Site} site @returns {Node | string} */
function shownCell(cell, site) {
  switch (cell.kind) {
    case 'none':
      return element('span', { class: 'note' }, '–');
    case 'number':
    case 'moment':
      return cell.text;
    case 'text':
      return element('span', { class: 'clamped', dir: 'auto' }, cut(cell.text));
    case 'entity':
      return linked(cell.text, cell.id, cell.type, site);
    case 'list':
      return shownList(cell, site);
    case 'fields':
      return element(
        'span',
        { class: 'inner' },
        ...between(
          cell.items.map(([name, value]) => namedCell(name, value, site)),
          '; ',
        ),
      );
  }
}

/** @param {string} name @param {Cell} cell @param {Site} site */
const namedCell = (name, cell, site) =>
  element('span', {}, name === '' ? '' : element('span', { class: 'note' }, `${name} `), shownCell(cell, site));

/** How many, and the first of them. @param {Extract<Cell, { kind: 'list' }>} cell @param {Site} site */
function shownList({ count, isCut, items }, site) {
  const some = items.slice(0, 5).map((item) => shownCell(item, site));
  const rest = count > some.length || isCut ? ', …' : '';
  const many = element('span', { class: 'count' }, `${count}${isCut ? '+' : ''}`);
  // Of more than a name each, one a line.
  if (items.some(({ kind }) => kind === 'fields')) {
    const lines = some.map((item) => element('span', { class: 'line' }, item));
    return element('span', { class: 'inner' }, many, ...lines, rest === '' ? '' : '…');
  }
  return element('span', { class: 'inner' }, many, count > 0 ? ' ' : '', ...between(some, ', '), rest);
}

/** @param {readonly (Node | string)[]} parts @param {string} text */
const between = (parts, text) => parts.flatMap((part, at) => (at === 0 ? [part] : [text, part]));

/** @param {string} text @param {number} id @param {string} type @param {Site} site */
const linked = (text, id, type, { root, generals }) =>
  generals.has(type)
    ? element('a', { href: `${root}/entity/${id}`, dir: 'auto' }, cut(text))
    : element('bdi', {}, cut(text));

/** @param {string} text */
const cut = (text) => (text.length > 300 ? `${text.slice(0, 300).toWellFormed()}…` : text);
