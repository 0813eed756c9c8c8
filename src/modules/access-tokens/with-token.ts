/** Adds the token to the answer that creates it: no statement could spell what the database does not know. */

import { takeText } from '../../bytes/text-bytes.js';
import { Item } from '../../http/answer.js';
import { escapeXml } from '../../representation/xml.js';

const notAgain =
  '199 worktrack "The token was in the first answer alone: delete this one and make another if that was lost."';

export const withoutToken = ({ text, version, isBrief }: Item): Item => new Item(text, version, isBrief, notAgain);

export function withToken({ version, isBrief, ...item }: Item, token: string, format: 'json' | 'xml'): Item {
  const text = takeText(item.text);
  if (format === 'json')
    return new Item(`${text.slice(0, text.lastIndexOf('}'))},"Token":${JSON.stringify(token)}}`, version, isBrief);
  const element = `<Token>${escapeXml(token)}</Token>`;
  const end = text.lastIndexOf('</');
  // An element without children closes itself.
  if (end < 0)
    return new Item(`${text.slice(0, text.lastIndexOf('/>')).trimEnd()}>${element}</AccessToken>`, version, isBrief);
  return new Item(text.slice(0, end) + element + text.slice(end), version, isBrief);
}
