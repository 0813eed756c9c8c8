/** The reference list by each way to say who asks, beside a service that does not ask. */
import { get, projectInTurn, referenceList } from '../requests.mjs';

const one = (name, what, path, headers) => ({
  name,
  what: `the reference list, ${what}, beside a service that checks nobody`,
  clients: [16],
  unit: 'requests',
  size: 1,
  isRead: true,
  goal: () => ({ ratio: 0.95 }),
  service: (i, fixture) => get(`${pathOf(i, fixture)}${path(fixture)}`, headers(fixture)),
  unchecked: (i, fixture) => get(pathOf(i, fixture)),
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
