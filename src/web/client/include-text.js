/** The list of `include` as text and as a tree: `[Id,Project[Name]]`. */

/**
 * Without `inner`, a reference or collection comes in its short form. @typedef {{ name: string, inner?: Item[] }} Item
 */

/** Undefined: the text is not well formed. @param {string} text @returns {Item[] | undefined} */
export function parseInclude(text) {
  const tokens = text.match(/[[\],]|[^[\],]+/g)?.filter((token) => token.trim() !== '') ?? [];
  if (tokens.length === 0) return [];
  let at = 0;

  /** @returns {Item[] | undefined} */
  function list() {
    /** @type {Item[]} */
    const items = [];
    if (tokens[at] === ']') return items;
    for (;;) {
      const name = tokens[at++]?.trim();
      if (name === undefined || /^[[\],]$/.test(name)) return undefined;
      /** @type {Item} */
      const item = { name };
      if (tokens[at] === '[') {
        at++;
        const inner = list();
        if (!inner || tokens[at++] !== ']') return undefined;
        item.inner = inner;
      }
      items.push(item);
      if (tokens[at] !== ',') return items;
      at++;
    }
  }

  const isBracketed = tokens[0] === '[';
  if (isBracketed) at++;
  const items = list();
  if (isBracketed && tokens[at++] !== ']') return undefined;
  return at === tokens.length ? items : undefined;
}

/** Nothing chosen is no list at all. @param {readonly Item[]} items @returns {string} */
export const spellInclude = (items) => (items.length === 0 ? '' : `[${items.map(spellItem).join(',')}]`);

/** @param {Item} item @returns {string} */
const spellItem = ({ name, inner }) => (inner && inner.length > 0 ? `${name}${spellInclude(inner)}` : name);

/** @param {readonly Item[] | undefined} items @param {string} name */
export const itemNamed = (items, name) => items?.find((item) => item.name.toLowerCase() === name.toLowerCase());

/**
 * The list with the field at the path chosen or not; what leads to a chosen one is chosen with it.
 * @param {readonly Item[]} items
 * @param {readonly string[]} path
 * @param {boolean} isChosen
 * @returns {Item[]}
 */
export function choose(items, path, isChosen) {
  const [name, ...rest] = path;
  if (name === undefined) return [...items];
  const existing = itemNamed(items, name);
  if (rest.length === 0) {
    if (!isChosen) return items.filter((item) => item !== existing);
    return existing ? [...items] : [...items, { name }];
  }
  if (!existing && !isChosen) return [...items];
  const inner = choose(existing?.inner ?? [], rest, isChosen);
  const changed = inner.length > 0 ? { name: existing?.name ?? name, inner } : { name: existing?.name ?? name };
  return existing ? items.map((item) => (item === existing ? changed : item)) : [...items, changed];
}
