/** The reference list by each way to say who asks, beside the same service where it does not ask. */
import { get, projectInTurn, referenceList } from '../requests.mjs';

const one = (name, what, path, headers) => ({
  name,
  what: `the reference list, ${what}, beside the same request without a check`,
  clients: [16],
  unit: 'requests',
  size: 1,
  isRead: true,
  isClose: true,
  goal: () => ({ ratio: 0.95 }),
  checked: (i, fixture) => get(`${pathOf(i, fixture)}${path(fixture)}`, headers(fixture)),
  unchecked: (i, fixture) => get(pathOf(i, fixture), { 'x-unchecked': '1' }),
});

const pathOf = (i, fixture) => referenceList(projectInTurn(i, fixture));

export default [
  one(
    'basic',
    'by login and password that were checked before',
    () => '',
    ({ headers }) => headers,
  ),
  one(
    'service-token',
    'by service token',
    ({ token }) => `&token=${encodeURIComponent(token)}`,
    () => ({}),
  ),
  one(
    'access-token',
    'by access token',
    () => '',
    ({ accessToken }) => ({ authorization: `Bearer ${accessToken}` }),
  ),
];
