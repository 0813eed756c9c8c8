/**
 * A table that is still one where the style makes cards of its rows: the roles are said, and each cell knows its
 * column.
 */
import { element } from './dom.js';

/**
 * @typedef {Node | string | undefined} Content
 * @typedef {{ name: string, isAction?: boolean }} Column
 * @param {string} caption for those who do not see where the table stands
 * @param {readonly Column[]} columns
 * @param {readonly (readonly (Content | readonly Content[])[])[]} rows
 */
export function dataTable(caption, columns, rows) {
  const heads = columns.map(({ name, isAction }) =>
    element('th', { scope: 'col', role: 'columnheader' }, isAction ? element('span', { class: 'hidden' }, name) : name),
  );
  const body = rows.map((cells) =>
    element('tr', { role: 'row' }, ...cells.map((cell, at) => cellOf(cell, at, columns))),
  );
  return element(
    'table',
    { class: 'rows', role: 'table' },
    element('caption', { class: 'hidden' }, caption),
    element('thead', { role: 'rowgroup' }, element('tr', { role: 'row' }, ...heads)),
    element('tbody', { role: 'rowgroup' }, ...body),
  );
}

/** @param {Content | readonly Content[]} content @param {number} at @param {readonly Column[]} columns */
function cellOf(content, at, columns) {
  const { name, isAction } = columns[at] ?? { name: '' };
  const all = Array.isArray(content) ? content : [content];
  const kind = isAction ? 'end' : at === 0 ? 'first' : undefined;
  return element(
    'td',
    { role: 'cell', 'data-label': name, class: kind },
    ...(all.length > 1 ? [element('div', {}, ...all)] : all),
  );
}

/** A name of somebody's choosing keeps its own direction. @param {string} text */
export const name = (text) => element('bdi', {}, text);
