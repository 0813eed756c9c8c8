/** Addresses that a link may lead to: whoever shows one shows nothing that runs. */

const runs = /^(?:javascript|vbscript|data):/i;

/** As browsers read it: they drop what is not seen. */
export function isLinkAddress(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers skip them
  return !runs.test(text.replace(/[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/g, ''));
}
