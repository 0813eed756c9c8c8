/**
 * The addresses in a URL that has several hosts, as libpq takes it: each as a URL of one host, in their order. As in a
 * URL of one, the hosts come behind the last `@`.
 */
const severalHosts = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/is;

export function addressesOf(url: string | undefined): string[] {
  if (url === undefined) return [];
  const [, before, hosts = '', behind] = severalHosts.exec(url) ?? [];
  if (before === undefined || !hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${before}${host}${behind}`);
}
