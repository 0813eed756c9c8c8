/** Spells what the pages ask the API for. */

/** A text as `where` takes it. @param {string} text */
export const quoted = (text) => `'${text.replace(/['\\]/g, '\\$&')}'`;

/** Characters of an address that the texts of one list may take, encoded; of 16 KiB that an address may have. */
const listRoom = 6_000;

/**
 * Lists for `in`, each so short that an address has room for it. @param {readonly string[]} texts @returns {string[]}
 */
export function listsOf(texts) {
  /** @type {string[]} */
  const lists = [];
  let room = 0;
  for (const text of texts.map(quoted)) {
    const length = encodeURIComponent(`,${text}`).length;
    if (length <= room) lists.push(`${lists.pop()},${text}`);
    else lists.push(text);
    room = (length <= room ? room : listRoom) - length;
  }
  return lists;
}

/** @param {Record<string, string | number | undefined>} parameters those without a value are left out */
export function query(parameters) {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return `?${given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}

/**
 * The condition for users that a search and a choice are about. Every word is looked for on its own, so that the order
 * of first and last name does not matter.
 * @param {string} search
 * @param {string} show
 * @param {string} [behind] what follows, if there is any condition
 */
export function usersWhere(search, show, behind = '') {
  const words = search
    .slice(0, longestSearch)
    .split(/\s+/)
    .filter((word) => word !== '');
  const parts = words.slice(0, 10).map((word) => {
    const fields = ['FirstName', 'LastName', 'Login', 'Email'];
    return `(${fields.map((field) => `${field} contains ${quoted(word)}`).join(' or ')})`;
  });
  const condition = [...parts, ...(Object.hasOwn(shows, show) ? (shows[show] ?? []) : [])].join(' and ');
  return condition === '' ? '' : condition + behind;
}

/** As long as the field for it, or what an address holds: each word is sent four times. */
const longestSearch = 200;

/** @type {Record<string, string[]>} */
const shows = {
  active: ["(IsActive eq 'true')"],
  inactive: ["(IsActive eq 'false')"],
  administrators: ["(IsAdministrator eq 'true')"],
};
