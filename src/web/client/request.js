/** Sends a request of a page to the service, on behalf of whoever the page was made for. */

/** A page that was opened with a token in its address goes on with it, also where its address changes. */
const credential = location.search
  .slice(1)
  .split('&')
  .filter((piece) => /^(access_)?token=/i.test(piece));

/**
 * @param {string} path from the root of the host on
 * @param {Omit<RequestInit, 'headers'> & { headers?: Record<string, string> }} [how]
 */
export function request(path, { headers, ...how } = {}) {
  const address = [path, ...credential].reduce((whole, piece) => whole + (whole.includes('?') ? '&' : '?') + piece);
  return fetch(address, { credentials: 'same-origin', ...how, headers: { ...ofPage(), ...headers } });
}

/** The log-in, which leads back to this page: to a path below the root. @param {string} root */
export const loginFrom = (root) =>
  `${root}/login?next=${encodeURIComponent(location.pathname.slice(root.length) + location.search)}`;

/**
 * That a page asks, not a person: a refusal then opens no dialog of the browser. And for whom: where somebody else has
 * logged in since, in another tab, nothing is done in his name. @returns {Record<string, string>}
 */
function ofPage() {
  const { viewer } = document.body.dataset;
  return { 'X-Requested-With': 'XMLHttpRequest', ...(viewer !== undefined && { 'X-Session-User': viewer }) };
}
