/** Addresses that a link may lead to: whoever shows one shows nothing that runs. */

const schemes = new Set(['http', 'https', 'mailto', 'ftp']);

/** One of these schemes or none, as browsers read it: they drop what is not seen. A host with a port is no scheme. */
export function isLinkAddress(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them
  const seen = text.replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g, '');
  if (/^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+):\d{1,5}(?:[/?#]|$)/i.test(seen)) return true;
  const [, scheme] = /^([^/?#:]*):/.exec(seen) ?? [];
  return scheme === undefined || schemes.has(scheme.toLowerCase());
}
