/** An answer in JSON as rows and columns, each cell told by what it holds. */

/**
 * @typedef {Record<string, unknown>} Entity
 * @typedef {{ kind: 'none' } | { kind: 'text' | 'number' | 'moment', text: string } | { kind: 'entity', id: number,
 * type: string, text: string }
 * | { kind: 'list', count: number, isCut: boolean, items: Cell[] } | { kind: 'fields', items: [name: string, value:
 * Cell][] }} Cell
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

/** @typedef {(name: string) => boolean} IsRich whether the texts of a field by this name are rich */

/**
 * @param {unknown} value
 * @param {string} [name] of the field that holds it
 * @param {IsRich} [isRich]
 * @returns {Cell}
 */
export function cellOf(value, name = '', isRich = () => false) {
  if (value === null || value === undefined || value === '') return { kind: 'none' };
  if (typeof value === 'number') return { kind: 'number', text: String(value) };
  if (typeof value === 'string') return textCell(value, isRich(name));
  if (Array.isArray(value)) return customCell(value);
  if (!isEntity(value)) return { kind: 'text', text: String(value) };
  if (!Array.isArray(value.Items)) return entityCell(value, isRich);
  const items = value.Items.map((item) => cellOf(item, '', isRich));
  return { kind: 'list', count: items.length, isCut: 'Next' in value, items };
}

/** @param {string} text @param {boolean} isRich @returns {Cell} */
function textCell(text, isRich) {
  const moment = momentOf(text);
  if (moment !== undefined) return { kind: 'moment', text: moment };
  return { kind: 'text', text: isRich ? plain(text) : text };
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

/** @type {Record<string, string>} */
const entities = { nbsp: ' ', lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

/**
 * Rich text without its tags: the table has no room for more. A tag ends before the next one begins, so that no text
 * is gone through twice. @param {string} text
 */
const plain = (text) =>
  text
    .replace(/<[a-z!/][^<>]*>/gi, ' ')
    .replace(/&(nbsp|lt|gt|quot|#39|amp);/g, (all, name) => entities[name] ?? all)
    .replace(/\s+/g, ' ')
    .trim();

/** @param {Entity} entity @param {IsRich} isRich @returns {Cell} */
function entityCell(entity, isRich) {
  const { Id, ResourceType, Name, FullName, ...rest } = entity;
  const members = Object.entries(rest).map(
    ([name, value]) => /** @type {[string, Cell]} */ ([name, cellOf(value, name, isRich)]),
  );
  if (typeof Id !== 'number')
    return fieldsOf(Object.entries(entity).map(([name, value]) => [name, cellOf(value, name, isRich)]));
  const name = [FullName, Name].find((one) => typeof one === 'string' && one.trim() !== '');
  // What has no name is told by what it leads to.
  const others = members.flatMap(([, cell]) => (cell.kind === 'entity' ? [cell.text] : []));
  const text = name ?? (others.length > 0 ? others.join(', ') : `${ResourceType ?? ''} ${Id}`.trim());
  const cell = { kind: /** @type {const} */ ('entity'), id: Id, type: String(ResourceType ?? ''), text: String(text) };
  const asked = members.filter(([key]) => !shortForm.has(key));
  return asked.length === 0 || name === undefined ? cell : { kind: 'fields', items: [['', cell], ...asked] };
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

/** Custom fields, those that have a value. @param {unknown[]} values @returns {Cell} */
const customCell = (values) =>
  fieldsOf(
    values
      .filter(isEntity)
      .map(({ Name, Type, Value }) => [String(Name ?? ''), cellOf(Value, '', () => Type === 'RichText')]),
  );

/** @param {[string, Cell][]} members @returns {Cell} */
function fieldsOf(members) {
  const items = members.filter(([, cell]) => cell.kind !== 'none');
  return items.length === 0 ? { kind: 'none' } : { kind: 'fields', items };
}

/** @param {unknown} value @returns {value is Entity} */
const isEntity = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
