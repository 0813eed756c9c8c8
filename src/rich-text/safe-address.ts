/** Which addresses rich text may link to and show pictures from. What is not listed here is left out. */

/** The address as it may be written into a page; undefined when it is not allowed. */
export const safeLink = (address: string): string | undefined =>
  allowed(address, [...own, /^https?:\/\/[^/]/i, /^mailto:./i]);

export const safeImage = (address: string): string | undefined =>
  allowed(address, [attachment, /^https?:\/\/[^/]/i]) ?? allowed(address.replace(/\s+/g, ''), [picture]);

const attachment = /^\/Attachment\.aspx\?AttachmentID=\d{1,16}$/i;
const own = [attachment, /^\/entity\/\d{1,16}$/i];

/** Formats that hold nothing but pixels. */
const picture = /^data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/]+={0,2}$/i;

function allowed(candidate: string, forms: readonly RegExp[]): string | undefined {
  // Browsers skip these characters in addresses, so they must not hide a scheme from us.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that are dropped
  const address = candidate.replace(/[\u0000-\u001f\u007f]/g, '').trim();
  return forms.some((form) => form.test(address)) ? address : undefined;
}
