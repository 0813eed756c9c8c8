import { expect, it } from 'vitest';
import { network } from '../http/client-address.js';
import { GuessingClients } from './guessing-clients.js';

const [wrong, right] = [false, true];
type Log = [address: string, isRight: boolean][];

it.each<[string, Log, first: string, second: string]>([
  ['a client without a wrong password', [['10.0.0.1', wrong]], '10.0.1.1', '10.0.0.1'],
  [
    'a client with fewer',
    [
      ['10.0.0.1', wrong],
      ['10.0.0.1', wrong],
      ['10.0.1.1', wrong],
    ],
    '10.0.1.1',
    '10.0.0.1',
  ],
  [
    'a client that gave a right one',
    [
      ['10.0.0.1', wrong],
      ['10.0.0.1', right],
    ],
    '10.0.0.1',
    '10.0.1.1',
  ],
  ['a new client of another network', [['10.0.0.1', wrong]], '10.0.1.9', '10.0.0.9'],
  ['a new client of another site', [['2001:db8:1:1::5', wrong]], '2001:db8:2:9::5', '2001:db8:1:2::5'],
  [
    'a new client of a network with thousands of wrong ones',
    Array.from({ length: 5000 }, (_, at): [string, boolean] => [`10.0.0.${at % 250}`, wrong]),
    '10.0.0.255',
    '10.0.0.1',
  ],
])('%s comes first', (_, log, first, second) => {
  const clients = new GuessingClients();
  for (const [address, isRight] of log) clients.note(network(address), isRight);
  expect(clients.rank(network(first))).toBeLessThan(clients.rank(network(second)));
});

it('a network counts for less than one wrong password of the client itself', () => {
  const clients = new GuessingClients();
  for (let at = 0; at < 5000; at += 1) clients.note(`10.0.0.${at % 250}`, wrong);
  clients.note('10.0.1.1', wrong);
  expect(clients.rank('10.0.0.255')).toBeLessThan(clients.rank('10.0.1.1'));
});
