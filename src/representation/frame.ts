/** Frames item texts as a whole answer: `Prev`, `Next`, `Items`, or the root element of the collection. */
import { escapeXml } from './xml.js';

export interface Links {
  prev?: string;
  next?: string;
}

export const frameJson = (items: readonly string[], { prev, next }: Links): string => {
  const links = `${prev ? `"Prev":${JSON.stringify(prev)},` : ''}${next ? `"Next":${JSON.stringify(next)},` : ''}`;
  return `{${links}"Items":[${items.join(',')}]}`;
};

export const frameXml = (collection: string, items: readonly string[], { prev, next }: Links): string => {
  const links = `${prev ? ` Prev="${escapeXml(prev)}"` : ''}${next ? ` Next="${escapeXml(next)}"` : ''}`;
  return items.length === 0
    ? `<${collection}${links} />`
    : `<${collection}${links}>\n  ${items.join('\n  ')}\n</${collection}>`;
};
