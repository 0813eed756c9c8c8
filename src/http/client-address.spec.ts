import { expect, it } from 'vitest';
import { addressOf, clientOf, network } from './client-address.js';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:C000:201', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:ffff::1', '2001:db8:0:0::/64'],
  ['1:2::3:4:5:192.0.2.1', '1:2:0:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
])('%s is of %s', (address, expected) => expect(network(address)).toBe(expected));

it('is that of the connection where what a proxy forwards is no address', () => {
  const socket = { remoteAddress: '192.0.2.7' };
  expect(clientOf({ ip: 'unknown', socket })).toBe('192.0.2.7');
  expect(clientOf({ ip: '192.0.2.8', socket })).toBe('192.0.2.8');
});

it.each([
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%secret', 'fe80::1'],
  ['token=secret', '192.0.2.7'],
])('%s is logged as %s', (ip, expected) =>
  expect(addressOf({ ip, socket: { remoteAddress: '192.0.2.7' } })).toBe(expected));
