/** An answer that is no entity: an element with attributes in XML, an object with members in JSON. */
import { escapeXml } from '../representation/xml.js';

export class Document {
  constructor(
    readonly root: string,
    readonly attributes: Record<string, string | boolean>,
  ) {}
}

export function spellDocument({ root, attributes }: Document, format: 'json' | 'xml'): string {
  if (format === 'json') return JSON.stringify(attributes);
  const spelled = Object.entries(attributes).map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`);
  return `<${root}${spelled.join('')} />`;
}
