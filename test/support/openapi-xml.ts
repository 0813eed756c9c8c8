/** XML as an OpenAPI document describes it: values are written by its `xml` keywords, and elements are held to them. */
import type { Schema } from '../../src/modules/openapi/openapi-types.js';
import type { DescribedApi } from './openapi.js';
import type { Element } from './xml.js';

interface Xml {
  readonly name?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
}

const xmlOf = (schema: Schema): Xml => (schema.xml as Xml | undefined) ?? {};

export class DescribedXml {
  constructor(private readonly api: DescribedApi) {}

  /** A value as its schema says, below the name where that has none of its own. */
  written(value: unknown, described: Schema, name = ''): string {
    const schema = this.fitting(described, value);
    const element = xmlOf(schema).name ?? name;
    if (value === null) return `<${element} nil="true" />`;
    if (Array.isArray(value)) {
      const items = value.map((one) => this.written(one, schema.items as Schema, name)).join('');
      return xmlOf(schema).wrapped ? `<${element}>${items}</${element}>` : items;
    }
    if (typeof value !== 'object') return `<${element}>${escaped(value)}</${element}>`;
    const members = Object.entries(value as object).map(([key, one]) => {
      const member = (schema.properties as Record<string, Schema> | undefined)?.[key] ?? {};
      const isAttribute = xmlOf(this.resolved(member)).attribute ?? false;
      return { isAttribute, text: isAttribute ? ` ${key}="${escaped(one)}"` : this.written(one, member, key) };
    });
    const part = (isAttribute: boolean) =>
      members.filter((one) => one.isAttribute === isAttribute).map(({ text }) => text);
    return `<${element}${part(true).join('')}>${part(false).join('')}</${element}>`;
  }

  /** Names in an element that its schema does not have; `name` where the schema has none of its own. */
  strangers(element: Element, described: Schema, name = ''): string[] {
    const schema = this.resolved(described);
    const expected = xmlOf(schema).name ?? name;
    if (element.name !== expected) return [`<${element.name}> instead of <${expected}>`];
    if (element.attributes.nil === 'true' || schema.additionalProperties === true) return [];
    const options = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined;
    if (options && !schema.properties) {
      const all = options.map((one) => this.strangers(element, { xml: { name: expected }, ...one }, expected));
      return all.find((one) => one.length === 0) ?? all[0]!;
    }
    if (schema.items) return element.children.flatMap((child) => this.strangers(child, schema.items as Schema, name));
    return [...this.strangeAttributes(element, schema), ...this.strangeChildren(element, schema)];
  }

  private strangeAttributes({ name, attributes }: Element, schema: Schema): string[] {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const known = properties.filter(([, one]) => xmlOf(this.resolved(one)).attribute).map(([key]) => key);
    const takesOthers = xmlOf((schema.additionalProperties ?? {}) as Schema).attribute ?? false;
    return takesOthers ? [] : Object.keys(attributes).flatMap((key) => (known.includes(key) ? [] : [`${name}@${key}`]));
  }

  private strangeChildren({ name, children }: Element, schema: Schema): string[] {
    const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
    const expected = properties.flatMap(([key, one]): [string, Schema][] => {
      const property = this.resolved(one);
      if (xmlOf(property).attribute) return [];
      if (!property.items || xmlOf(property).wrapped) return [[key, { ...property, xml: { name: key } }]];
      return [[xmlOf(this.resolved(property.items as Schema)).name ?? key, property.items as Schema]];
    });
    const patterns = Object.keys((schema.patternProperties ?? {}) as object).map((pattern) => new RegExp(pattern));
    return children.flatMap((child) => {
      // An attribute cannot be null.
      if (child.attributes.nil === 'true' && properties.some(([key]) => key === child.name)) return [];
      if (patterns.some((pattern) => pattern.test(child.name))) return [];
      const own = expected.find(([key]) => key === child.name);
      return own ? this.strangers(child, own[1], child.name) : [`${name}/${child.name}`];
    });
  }

  /** Of several the one that is as the value is. */
  private fitting(described: Schema, value: unknown): Schema {
    const schema = this.resolved(described);
    const options = schema.anyOf as Schema[] | undefined;
    if (!options || schema.properties) return schema;
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    const fit = options.map((one) => this.resolved(one)).find((one) => [one.type].flat().includes(type));
    return { ...(fit ?? schema), ...(xmlOf(schema).name !== undefined && { xml: schema.xml }) };
  }

  /** With what stands beside a reference, and the parts of a whole together. */
  private resolved(described: Schema): Schema {
    const { $ref, allOf, ...own } = described;
    const parts = [...($ref ? [this.api.resolved<Schema>({ $ref })] : []), ...((allOf ?? []) as Schema[])];
    const whole: Schema[] = [...parts.map((one) => this.resolved(one)), own];
    const properties = Object.assign({}, ...whole.map((one) => one.properties ?? {}));
    return {
      ...Object.assign({}, ...whole),
      ...(Object.keys(properties).length > 0 && { properties }),
    };
  }
}

const escaped = (value: unknown): string =>
  String(value).replace(/[&<"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '"': '&quot;' })[sign]!);
