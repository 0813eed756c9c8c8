/**
 * Requests drawn from the OpenAPI document: any operation, its parameters and its body, by the schemas that describe
 * them.
 */
import fc from 'fast-check';
import type { MediaType, Parameter, Schema } from '../../src/modules/openapi/openapi-types.js';
import type { DescribedApi, DescribedOperation } from './openapi.js';

export interface DrawnRequest {
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Ids that some kinds have, and some that none has. */
const ids = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 10 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 1500 }) },
  fc.constantFrom(0, 2 ** 31, 2 ** 53 - 1),
);

const texts = fc.oneof(
  fc.constantFrom('', ' ', 'x', 'Name', 'Id', 'a,b', '=1+1', "it's", '[Id]', '[', '(', '2026-01-31', '\u202e', '日本'),
  fc.string({ maxLength: 20 }),
);

/** `there`: ids of entities that the path may name. */
export function requestsOf(
  described: DescribedOperation,
  api: DescribedApi,
  there: readonly number[],
): fc.Arbitrary<DrawnRequest> {
  const { body } = described;
  const media = Object.entries(body?.content ?? {}).filter(([type]) => type !== 'application/xml');
  const drawn = media.map((one) => requestOf(described, api, { there, media: one }));
  return drawn.length > 0 ? fc.oneof(...drawn) : requestOf(described, api, { there });
}

interface Ways {
  readonly there: readonly number[];
  /** How the body is sent. */
  readonly media?: readonly [type: string, body: MediaType];
}

function requestOf(
  { path, method, parameters }: DescribedOperation,
  api: DescribedApi,
  { there, media }: Ways,
): fc.Arbitrary<DrawnRequest> {
  return fc
    .record({
      parts: fc.record(Object.fromEntries(parameters.map((one) => [keyOf(one), parameterValue(one, api, there)]))),
      sent: media ? schemaValue(media[1].schema, api, 4) : fc.constant(undefined),
    })
    .map(({ parts, sent }) => {
      const valuesIn = (place: Parameter['in']) =>
        parameters.filter((one) => one.in === place && parts[keyOf(one)] !== undefined);
      const query = valuesIn('query').map(
        ({ name }) => `${name}=${encodeURIComponent(String(parts[`query ${name}`]))}`,
      );
      const headers = valuesIn('header').map(({ name }) => [name, String(parts[`header ${name}`])]);
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(parts[`path ${name}`]));
      return {
        path: query.length > 0 ? `${filled}?${query.join('&')}` : filled,
        method: method.toUpperCase(),
        headers: {
          accept: 'application/json',
          ...Object.fromEntries(headers),
          ...(media && { 'content-type': typeOf(media[0]) }),
        },
        ...(media && { body: spelled(media[0], sent) }),
      };
    });
}

const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

const boundary = 'a-part-of-a-form';

/** As it stands in the header. */
const typeOf = (media: string): string => (/^multipart/.test(media) ? `${media}; boundary=${boundary}` : media);

function multipart(sent: object): string {
  const parts = Object.entries(sent).flatMap(([name, value]) => {
    const isFile = Array.isArray(value) || name === 'image';
    return [value].flat().map((one) => {
      const file = isFile ? '; filename="drawn.txt"' : '';
      return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${one}\r\n`;
    });
  });
  return `${parts.join('')}--${boundary}--\r\n`;
}

const spelled = (type: string, sent: unknown): string =>
  /^multipart/.test(type)
    ? multipart(sent as object)
    : /form/.test(type)
      ? new URLSearchParams(
          Object.fromEntries(Object.entries(sent as object).map(([k, v]) => [k, String(v)])),
        ).toString()
      : JSON.stringify(sent);

/** Most parameters are left out: a request that says everything is refused for the first thing that it says. */
function parameterValue(
  { name, in: place, schema, example, required }: Parameter,
  api: DescribedApi,
  there: readonly number[],
): fc.Arbitrary<unknown> {
  if (place === 'path' || /ID$/.test(name))
    return there.length > 0 ? fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...there) }, ids) : ids;
  const value =
    example === undefined ? schemaValue(schema, api, 1) : fc.oneof(fc.constant(example), schemaValue(schema, api, 1));
  // Headers hold visible characters only.
  const visible = fc.oneof(fc.constantFrom('"1-x"', '*', ...(example === undefined ? [] : [example])), fc.uuid());
  const sendable = place === 'header' ? visible : value;
  if (required) return name === 'childrenIds' ? fc.array(ids, { minLength: 1, maxLength: 3 }).map(String) : sendable;
  return fc.oneof({ weight: 7, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: sendable });
}

/** A value that the schema allows, nested so deep at most. */
function schemaValue(schema: Schema, api: DescribedApi, depth: number): fc.Arbitrary<unknown> {
  const { $ref, allOf, anyOf, oneOf, enum: choices, required } = schema as Record<string, never>;
  if ('const' in schema) return fc.constant(schema.const);
  if (choices) return fc.constantFrom(...(choices as unknown[]));
  if ($ref) return schemaValue(api.resolved<Schema>(schema), api, depth);
  if (allOf) return schemaValue({ ...api.resolved<Schema>(allOf[0]), required }, api, depth);
  const options = (anyOf ?? oneOf) as Schema[] | undefined;
  if (options && schema.type !== 'object') return fc.oneof(...options.map((one) => schemaValue(one, api, depth)));
  const types = [schema.type ?? 'string'].flat() as string[];
  return fc.oneof(...types.map((type) => typed(type, schema, api, depth)));
}

function typed(type: string, schema: Schema, api: DescribedApi, depth: number): fc.Arbitrary<unknown> {
  switch (type) {
    case 'integer':
      return integerOf(schema);
    case 'number':
      return fc.oneof(fc.integer({ min: -10, max: 1000 }), fc.double({ min: -1e6, max: 1e6, noNaN: true }));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return depth <= 0
        ? fc.constant([])
        : fc.array(schemaValue((schema.items ?? {}) as Schema, api, depth - 1), {
            minLength: Number(schema.minItems ?? 0),
            maxLength: 2,
          });
    case 'object':
      return objectOf(schema, api, depth);
    default:
      return schema.pattern === undefined
        ? texts
        : fc.constantFrom('/Date(1714644672000+0200)/', '2024-05-02T12:11:12', '2024-05-02');
  }
}

function integerOf({ maximum, minimum }: Schema): fc.Arbitrary<number> {
  if (maximum === 2 ** 53 - 1) return ids;
  return fc.integer({ min: Number(minimum ?? -5), max: Math.min(Number(maximum ?? 50), 50) });
}

/** The members that are needed, and a few others. */
function objectOf({ properties = {}, required = [] }: Schema, api: DescribedApi, depth: number): fc.Arbitrary<object> {
  const all = Object.entries(properties as Record<string, Schema>);
  const needed = all.filter(([name]) => (required as string[]).includes(name));
  const drawn = (members: [string, Schema][]) =>
    fc.record(Object.fromEntries(members.map(([name, schema]) => [name, schemaValue(schema, api, depth - 1)])));
  if (depth <= 0 || all.length === needed.length) return drawn(needed);
  return fc
    .subarray(all, { maxLength: Math.min(3, all.length) })
    .chain((others) => drawn([...new Map([...needed, ...others])]));
}
