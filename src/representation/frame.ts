/** Frames item texts as a whole answer: `Prev`, `Next`, `Items`, or the root element of the collection. */
import { escapeXml } from './xml.js';

/** Addresses: they hold nothing that JSON would escape. */
export interface Links {
  prev?: string;
  next?: string;
}

/** What stands before, between and behind the items. */
export interface Frame {
  head: string;
  separator: string;
  tail: string;
}

export function jsonFrame({ prev, next }: Links): Frame {
  const links = `${prev ? `"Prev":"${prev}",` : ''}${next ? `"Next":"${next}",` : ''}`;
  return { head: `{${links}"Items":[`, separator: ',', tail: ']}' };
}

export function xmlFrame(collection: string, isEmpty: boolean, { prev, next }: Links): Frame {
  const links = `${prev ? ` Prev="${escapeXml(prev)}"` : ''}${next ? ` Next="${escapeXml(next)}"` : ''}`;
  if (isEmpty) return { head: `<${collection}${links} />`, separator: '', tail: '' };
  return { head: `<${collection}${links}>\n  `, separator: '\n  ', tail: `\n</${collection}>` };
}

/** `items` are texts glued by the separator; empty when there are none. */
export function frameJson(items: string, links: Links): string {
  const { head, tail } = jsonFrame(links);
  return head + items + tail;
}
