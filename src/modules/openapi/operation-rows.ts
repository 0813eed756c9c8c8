/** Operations that are of no resource, as rows: what a row says, and the operation that is made of it. */
import {
  type Content,
  type Method,
  type Operation,
  type Paths,
  type Response,
  refTo,
  type Schema,
} from './openapi-types.js';
import { named, type ParameterName } from './parameters.js';
import { readRefusals, writeRefusals } from './refusals.js';

export interface Row {
  readonly at: string;
  readonly method: Method;
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly parameters?: readonly ParameterName[];
  /** In JSON and XML. */
  readonly body?: Schema;
  /** The root of the body in XML. */
  readonly bodyName?: string;
  /** In other formats. */
  readonly content?: Content;
  readonly answer: Response | { $ref: string };
  /** Besides the answer and the usual refusals. */
  readonly others?: Operation['responses'];
  /** Where not all of the usual ways to say who is calling are taken; none: it needs no credentials. */
  readonly security?: Operation['security'];
}

export const object = (properties: Schema, required: readonly string[] = Object.keys(properties)): Schema => ({
  type: 'object',
  properties,
  required,
});

export const text: Schema = { type: 'string' };
export const nullableText: Schema = { type: ['string', 'null'] };
export const flag: Schema = { type: 'boolean' };
export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const schema = (name: string): Schema => ({ ...refTo('schemas', name) });

/** What is an attribute in XML. */
export const attribute = (one: Schema): Schema => ({ ...one, xml: { attribute: true } });
export const attributes = (properties: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, attribute(one)]));

export const both = (root: Schema, xmlName?: string): Content => ({
  'application/json': { schema: root },
  'application/xml': { schema: xmlName ? { ...root, xml: { ...(root.xml as Schema), name: xmlName } } : root },
});

export const answer = (description: string, root: Schema, xmlName?: string): Response => ({
  description,
  content: both(root, xmlName),
});

export const inJson = (description: string, root: Schema): Response => ({
  description,
  content: { 'application/json': { schema: root } },
});

export const page: Response = { description: 'A page.', content: { 'text/html': { schema: text } } };

export function pathsOf(rows: readonly Row[]): Paths {
  const paths: Record<string, Paths[string]> = {};
  for (const row of rows) paths[row.at] = { ...paths[row.at], [row.method]: operation(row) };
  return paths;
}

function operation(row: Row): Operation {
  const { id, tag, summary, parameters = [], answer: ok, method, others, security } = row;
  const content = row.content ?? (row.body && both(row.body, row.bodyName));
  return {
    operationId: id,
    tags: [tag],
    summary,
    parameters: named(...parameters),
    ...(content && { requestBody: { required: true, content } }),
    responses: {
      200: ok,
      ...(parameters.includes('ifNoneMatch') && { 304: refTo('responses', 'NotModified') }),
      ...(ok === page ? { default: page } : method === 'get' ? readRefusals : writeRefusals),
      ...others,
    },
    ...(security && { security }),
  };
}
