/** An answer in JSON as rows and columns, each cell told by what it holds. */

/**
 * @typedef {Record<string, unknown>} Entity
 * @typedef {{ kind: 'none' } | { kind: 'text' | 'number' | 'moment', text: string } | { kind: 'entity', id: number, type: string, text: string }
 *   | { kind: 'list', count: number, isCut: boolean, items: Cell[] } | { kind: 'fields', items: [name: string, value: Cell][] }} Cell
 */

/** The items of a page, or the one entity that was asked for. @param {unknown} answer @returns {Entity[]} */
export function itemsOf(answer) {
  if (!isEntity(answer)) return [];
  return Array.isArray(answer.Items) ? answer.Items.filter(isEntity) : [answer];
}

/** In the order of the first item that has each. @param {readonly Entity[]} items */
export function columnsOf(items) {
  const names = new Set(items.flatMap((item) => Object.keys(item)));
  names.delete('ResourceType');
  return [...names];
}

/** @param {unknown} value @returns {Cell} */
export function cellOf(value) {
  if (value === null || value === undefined || value === '') return { kind: 'none' };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value === 'string') return textCell(value);
  if (Array.isArray(value)) return fieldsCell(value);
  if (!isEntity(value)) return { kind: 'text', text: String(value) };
  if (Array.isArray(value.Items)) {
    return { kind: 'list', count: value.Items.length, isCut: 'Next' in value, items: value.Items.map(cellOf) };
  }
  return entityCell(value);
}

/** @param {string} text @returns {Cell} */
function textCell(text) {
  const moment = momentOf(text);
  return moment === undefined ? { kind: 'text', text: plain(text) } : { kind: 'moment', text: moment };
}

/** `/Date(1784039038000+0200)/` in its own zone, and without a time at midnight. @param {string} text */
export function momentOf(text) {
  const [, milliseconds, sign, hours, minutes] = /^\/Date\((-?\d+)(?:([+-])(\d\d)(\d\d))?\)\/$/.exec(text) ?? [];
  if (milliseconds === undefined) return undefined;
  const offset = sign ? Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes)) : 0;
  const local = new Date(Number(milliseconds) + offset * 60_000);
  if (Number.isNaN(local.getTime())) return undefined;
  return local.toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '');
}

/** Rich text without its tags: the table has no room for more. @param {string} text */
const plain = (text) =>
  /^\s*<[a-z!][\s\S]*>\s*$/i.test(text)
    ? text
        .replace(/<[^>]*>/g, ' ')
        .replace(/&nbsp;/g, ' ')
        .replace(/&lt;/g, '<')
        .replace(/&gt;/g, '>')
        .replace(/&quot;/g, '"')
        .replace(/&#39;/g, "'")
        .replace(/&amp;/g, '&')
        .replace(/\s+/g, ' ')
        .trim()
    : text;

/** @param {Entity} entity @returns {Cell} */
function entityCell(entity) {
  const { Id, ResourceType, Name, FullName, ...rest } = entity;
  if (typeof Id !== 'number') return fieldsOf(Object.entries(entity));
  const more = Object.values(rest)
    .map(cellOf)
    .filter((cell) => cell.kind === 'entity')
    .map((cell) => cell.text);
  const name = [FullName, Name].find((one) => typeof one === 'string' && one.trim() !== '');
  const text = name ?? (more.length > 0 ? more.join(', ') : `${ResourceType ?? ''} ${Id}`.trim());
  const cell = { kind: /** @type {const} */ ('entity'), id: Id, type: String(ResourceType ?? ''), text: String(text) };
  const asked = Object.entries(rest).filter(([key]) => !shortForm.has(key));
  return asked.length === 0 || name === undefined
    ? cell
    : { kind: 'fields', items: [['', cell], ...asked.map(namedCell)] };
}

/** What references hold without being asked. */
const shortForm = new Set([
  'Kind',
  'FirstName',
  'LastName',
  'Login',
  'Importance',
  'NumericPriority',
  'Process',
  'IsUnitInHourOnly',
  'EmojiIcon',
]);

/** Custom fields and the like: those that have a value. @param {unknown[]} values @returns {Cell} */
function fieldsCell(values) {
  const named = values
    .filter(isEntity)
    .map(({ Name, Value }) => /** @type {[string, unknown]} */ ([String(Name ?? ''), Value]));
  return fieldsOf(named);
}

/** @param {[string, unknown][]} members @returns {Cell} */
function fieldsOf(members) {
  const items = members.map(namedCell).filter(([, cell]) => cell.kind !== 'none');
  return items.length === 0 ? { kind: 'none' } : { kind: 'fields', items };
}

/** @param {[string, unknown]} member @returns {[string, Cell]} */
const namedCell = ([name, value]) => [name, cellOf(value)];

/** @param {unknown} value @returns {value is Entity} */
const isEntity = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
