/**
 * Spells descriptions of resources in JSON and XML, with the element names that clients know (one is misspelt; they
 * depend on it).
 */
import { escapeXml } from '../../representation/xml.js';
import type { FieldDescription, ResourceDescription } from './describe.js';

const p = 'ResourceMetadata';

/**
 * Browsers give transformations up, so the page is made by a style sheet of ours, which needs no right that pages have
 * not.
 */
const stylesheet = (indexUri: string): string =>
  `<?xml-stylesheet type="text/css" href="${escapeXml(new URL('../../../assets/metadata/metadata.css', indexUri).href)}"?>\n`;

export function jsonDescription(described: ResourceDescription): Record<string, unknown> {
  const { base, derived, values, references, collections, remarks, ...head } = described;
  const none = (items: unknown[]) => ({ Items: items.length > 0 ? items : [{}] });
  return {
    ...head,
    [`${p}HierarchyDescription`]: {
      [`${p}BaseResourceDescription`]: none(base),
      [`${p}DerivedResourceDescription`]: none(derived),
    },
    [`${p}PropertiesDescription`]: {
      [`${p}PropertiesResourceValuesDescription`]: { Items: values },
      [`${p}PropertiesResourceReferencesDescription`]: { Items: references },
      [`${p}PropertiesResourceCollectionsDescription`]: { Items: collections },
    },
    [`${p}RemarksDescription`]: { Body: remarks },
  };
}

export function xmlDescription(described: ResourceDescription): string {
  const { base, derived, values, references, collections, remarks, ...head } = described;
  const hierarchy =
    group(`${p}BaseResourceDescription`, 'ResourceMetadataBaseResourceItemDescription', base) +
    group(`${p}DerivedResourceDescription`, 'ResourceMetadataDerivedResourceItemDescription', derived);
  const properties =
    fields('Values', 'ResourceFieldMetadataDescription', values) +
    fields('References', 'ResourceFieldMetadataDescription', references) +
    fields('Collections', 'ResourceCollecitonFieldMetadataDescription', collections);
  return `${stylesheet(head.IndexUri)}<${p}Description${attributes(head)}><${p}HierarchyDescription>${hierarchy}</${p}HierarchyDescription><${p}PropertiesDescription>${properties}</${p}PropertiesDescription><${p}RemarksDescription${attributes({ Body: remarks })} /></${p}Description>`;
}

export type IndexEntry = Pick<ResourceDescription, 'Name' | 'Uri' | 'Description'>;

export const xmlIndex = (indexUri: string, entries: readonly IndexEntry[]): string =>
  `${stylesheet(indexUri)}<${p}DescriptionIndex${attributes({ IndexUri: indexUri })}>${entries
    .map((entry) => `<${p}Description${attributes(entry)} />`)
    .join('')}</${p}DescriptionIndex>`;

/**
 * Clients of the original look in its text for the key that it repeats for each entry. Readers of JSON keep the last of
 * them, and find all in `Items`, which come first.
 */
export function jsonIndex(indexUri: string, entries: readonly IndexEntry[]): string {
  const listed = JSON.stringify({ IndexUri: indexUri, Items: entries });
  const repeated = entries.map((entry) => `,"${p}Description":${JSON.stringify(entry)}`);
  return `${listed.slice(0, -1)}${repeated.join('')}}`;
}

const fields = (kind: string, item: string, items: readonly FieldDescription[]): string =>
  group(`${p}PropertiesResource${kind}Description`, item, items);

function group(element: string, item: string, items: readonly object[]): string {
  if (items.length === 0) return `<${element} />`;
  return `<${element}>${items.map((one) => `<${item}${attributes(one)} />`).join('')}</${element}>`;
}

const attributes = (members: object): string =>
  Object.entries(members)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
