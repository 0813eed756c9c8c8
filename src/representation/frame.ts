/** Frames item texts as a whole answer: `Prev`, `Next`, `Items`, or the root element of the collection. */
import { escapeXml } from './xml.js';

export interface Links {
  prev?: string;
  next?: string;
}

/** `items` are texts glued by the page separator of the representation; empty when there are none. */
export const frameJson = (items: string, { prev, next }: Links): string => {
  const links = `${prev ? `"Prev":${JSON.stringify(prev)},` : ''}${next ? `"Next":${JSON.stringify(next)},` : ''}`;
  return `{${links}"Items":[${items}]}`;
};

export const frameXml = (collection: string, items: string, { prev, next }: Links): string => {
  const links = `${prev ? ` Prev="${escapeXml(prev)}"` : ''}${next ? ` Next="${escapeXml(next)}"` : ''}`;
  return items === '' ? `<${collection}${links} />` : `<${collection}${links}>\n  ${items}\n</${collection}>`;
};
