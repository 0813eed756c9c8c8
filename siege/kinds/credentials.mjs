/**
 * Guessed and malformed credentials. The guessed user is none of the canary's: ten wrong passwords lock a login, as
 * documented.
 */
import { basic } from '../fixture.mjs';
import { inTurn, post } from '../requests.mjs';
import { asking } from '../shapes.mjs';

const me = '/api/v1/Users/LoggedUser?format=json';
const byBasic = (login, password) => ({ path: me, headers: { Authorization: basic(login, password) } });
const byForm = (login, password) =>
  post('/login', new URLSearchParams({ login, password }).toString(), {}, 'application/x-www-form-urlencoded');

const guess = (at) => inTurn([byBasic, byForm], at)(`nobody-${at}`, `guess ${at}`);
const blob = (text) => ({ path: me, headers: { Authorization: text } });

const wrong = (victim) => [
  (at) => byBasic(victim, `wrong ${at}`),
  (at) => byForm(victim.toUpperCase(), `wrong ${at}`),
  (at) => blob(`Bearer ${at}${'a'.repeat(40)}`),
  (at) => ({ path: `${me}&token=${at}${'b'.repeat(9000)}` }),
  (at) => ({ path: `${me}&access_token=${encodeURIComponent(`${at}' or 1=1--`)}` }),
  () => blob('Basic !!!not-base64!!!'),
  () => blob(`Basic ${'YWJj'.repeat(2000)}`),
  (at) => byBasic(victim, `${at}${'x'.repeat(9000)}`),
  (at) => ({ path: me, headers: { Cookie: `session=${at}${'c'.repeat(60)}; session=${at}` } }),
];

export default [
  {
    name: 'guesses-one',
    row: 'E23',
    what: 'log-ins with made-up names from one address, 20 at once',
    attack: () => asking(20, guess),
  },
  {
    name: 'guesses-many',
    row: 'E23',
    what: 'log-ins with made-up names from 200 addresses, 100 at once',
    attack: () => asking(100, (at) => ({ ...guess(at), from: `127.0.0.${2 + (at % 200)}` }), { isReused: false }),
  },
  {
    name: 'wrong-credentials',
    row: 'A6–A11',
    what: 'wrong passwords of one user, wrong tokens, malformed headers, 32 at once',
    attack: ({ victim }) => {
      const requests = wrong(victim);
      return asking(32, (at) => inTurn(requests, at)(at));
    },
  },
];
