/** Loaded before a service (`NODE_OPTIONS=--import`): localhost has a second address, as where there is IPv6. */
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
const { lookup } = dns;
const { lookup: promised } = dns.promises;

dns.lookup = (host, options, answer = options) => {
  if (host !== 'localhost') return lookup(host, options, answer);
  process.nextTick(() => (options.all ? answer(null, addresses) : answer(null, addresses[0].address, 4)));
};
dns.promises.lookup = async (host, options) =>
  host === 'localhost' ? (options?.all ? addresses : addresses[0]) : promised(host, options);
syncBuiltinESMExports();
