/** Spells what the pages ask the API for. */

/** A text as `where` takes it. @param {string} said */
export const quoted = (said) => `'${said.replaceAll("'", "''")}'`;

/** @param {Record<string, string | number | undefined>} parameters those without a value are left out */
export function query(parameters) {
  const said = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return `?${said.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')}`;
}

/**
 * The condition for users that a search and a choice are about. Every word is looked for on its own, so that the order of
 * first and last name does not matter.
 * @param {string} search
 * @param {string} show
 * @param {string} [behind] what follows, if there is any condition
 */
export function usersWhere(search, show, behind = '') {
  const words = search.split(/\s+/).filter((word) => word !== '');
  const parts = words.slice(0, 10).map((word) => {
    const fields = ['FirstName', 'LastName', 'Login', 'Email'];
    return `(${fields.map((field) => `${field} contains ${quoted(word)}`).join(' or ')})`;
  });
  const said = [...parts, ...(Object.hasOwn(shows, show) ? (shows[show] ?? []) : [])].join(' and ');
  return said === '' ? '' : said + behind;
}

/** @type {Record<string, string[]>} */
const shows = {
  active: ["(IsActive eq 'true')"],
  inactive: ["(IsActive eq 'false')"],
  administrators: ["(IsAdministrator eq 'true')"],
};
