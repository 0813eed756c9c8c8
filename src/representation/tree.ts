/**
 * A small document of nested members, spelled in JSON and XML: in XML values are attributes and the rest are elements.
 */
import { escapeXml } from './xml.js';

export interface Tree {
  [member: string]: string | number | boolean | null | Tree | Tree[] | undefined;
}

export const treeJson = (tree: Tree): string =>
  JSON.stringify(tree, (key, value) => (key === 'item' && typeof value === 'string' ? undefined : value));

export function treeXml(element: string, tree: Tree): string {
  const members = Object.entries(tree).filter(([name]) => name !== 'item');
  const attributes = members
    .filter(([, value]) => value !== null && value !== undefined && typeof value !== 'object')
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`);
  const children = members.map(([name, value]) => childXml(name, value, tree)).join('');
  const start = `<${element}${attributes.join('')}`;
  return children === '' ? `${start} />` : `${start}>${children}</${element}>`;
}

function childXml(name: string, value: Tree[string], owner: Tree): string {
  if (value === null) return `<${name} nil="true" />`;
  if (Array.isArray(value)) return value.map((item) => treeXml(String(owner.item), item)).join('');
  return typeof value === 'object' ? treeXml(name, value) : '';
}
