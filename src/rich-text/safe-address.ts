/** Which addresses rich text may link to and show pictures from. What is not listed here is left out. */

/**
 * The address as it may be written into a page; undefined when it is not allowed. One of the service may be written
 * with or without the path that it is reachable at, its root.
 */
export const safeLink = (address: string, root: string): string | undefined =>
  ownAddress(address, root, [attachment, entity]) ?? allowed(address, [web, /^mailto:./i]);

export const safeImage = (address: string, root: string): string | undefined =>
  ownAddress(address, root, [attachment]) ?? allowed(address, [web]) ?? allowed(address.replace(/\s+/g, ''), [picture]);

const attachment = /^\/Attachment\.aspx\?AttachmentID=\d{1,16}$/i;
const entity = /^\/entity\/\d{1,16}$/i;
const web = /^https?:\/\/[^/]/i;

/** Formats that hold nothing but pixels. */
const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/]+={0,2}$/i;

function ownAddress(candidate: string, root: string, forms: readonly RegExp[]): string | undefined {
  const below = candidate.trim().startsWith(`${root}/`) ? candidate.trim().slice(root.length) : candidate;
  const path = allowed(below, forms);
  return path === undefined ? undefined : root + path;
}

function allowed(candidate: string, forms: readonly RegExp[]): string | undefined {
  // Browsers skip these characters in addresses, so they must not hide a scheme from us.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are dropped
  const address = candidate.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  return forms.some((form) => form.test(address)) ? address : undefined;
}
