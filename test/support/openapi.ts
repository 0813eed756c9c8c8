/** The OpenAPI document as tests use it: its operations one by one, and whether an answer is what the document says. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { OpenApiDocument } from '../../src/modules/openapi/document.js';
import type {
  Method,
  Operation,
  Parameter,
  Reference,
  RequestBody,
  Response,
  Schema,
} from '../../src/modules/openapi/openapi-types.js';
import type { Answer, TestApp } from './app.js';

export interface DescribedOperation {
  readonly path: string;
  readonly method: Method;
  readonly operation: Operation;
  /** Those of the path among them. */
  readonly parameters: readonly Parameter[];
  readonly body?: RequestBody;
}

export class DescribedApi {
  private readonly ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true });
  private readonly closed: OpenApiDocument;
  private readonly validators = new Map<string, ValidateFunction>();

  private constructor(readonly document: OpenApiDocument) {
    addFormats.default(this.ajv as never);
    for (const format of ['int32', 'int64', 'double']) this.ajv.addFormat(format, true);
    this.closed = closed(document);
    this.ajv.addSchema(this.closed, 'openapi');
  }

  static async of(app: TestApp): Promise<DescribedApi> {
    return new DescribedApi((await app.ask('/api/openapi.json')).json);
  }

  get operations(): DescribedOperation[] {
    return Object.entries(this.document.paths).flatMap(([path, item]) =>
      (['get', 'post', 'delete'] as const).flatMap((method) => {
        const operation = item[method];
        if (!operation) return [];
        const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
        const body = operation.requestBody && this.resolved<RequestBody>(operation.requestBody);
        return { path, method, operation, parameters: parameters.map((one) => this.resolved<Parameter>(one)), body };
      }),
    );
  }

  /** What is wrong with an answer; undefined where it is as described. */
  complaintAbout({ path, method }: DescribedOperation, { status, headers, text }: Answer): string | undefined {
    const operation = this.closed.paths[path]![method]!;
    if ((status >= 500 && status !== 503) || (status === 405 && !operation.responses[405])) return `${status}: ${text}`;
    const described = operation.responses[status] ?? (status >= 400 ? operation.responses.default : undefined);
    if (!described) return `${status} is not described`;
    const { content } = this.resolved<Response>(described, this.closed);
    const type = headers.get('content-type')?.split(';', 1)[0];
    if (text === '' && (type === undefined || type === null)) return undefined;
    const media = content?.[type ?? ''] ?? content?.['*/*'];
    if (!media) return `${status}: ${type} is not described`;
    if (type !== 'application/json') return undefined;
    const validate = this.validatorOf(media.schema);
    return validate(JSON.parse(text))
      ? undefined
      : `${status}: ${JSON.stringify(validate.errors)} in ${text.slice(0, 2000)}`;
  }

  private validatorOf(schema: Schema): ValidateFunction {
    const key = JSON.stringify(schema);
    const known = this.validators.get(key) ?? this.ajv.compile(JSON.parse(key.replaceAll('"#/', '"openapi#/')));
    this.validators.set(key, known);
    return known;
  }

  /** What a reference of the document leads to. */
  resolved<T>(described: T | Reference | Schema, document = this.document): T {
    const pointer = (described as Partial<Reference>).$ref;
    if (pointer === undefined) return described as T;
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], document);
    return found as T;
  }
}

/**
 * Clients must bear members that are added later; tests want to know of those that are not described. Every schema that
 * an answer leads to is closed, but those that say themselves what else there is. What is one of several parts of
 * another schema stays open, and the whole of it is closed.
 */
function closed(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  const schemas = copy.components.schemas as Record<string, Schema>;
  const openOnes: Record<string, Schema> = {};
  for (const [name, schema] of Object.entries(schemas)) openOnes[`${name}Open`] = structuredClone(schema);
  const seen = new Set<Schema>();
  const close = (schema: Record<string, unknown>): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    const name = /^#\/components\/schemas\/(\w+)$/.exec(String(schema.$ref))?.[1];
    if (name) close(schemas[name]!);
    const parts = schema.allOf as Record<string, unknown>[] | undefined;
    if (parts) {
      for (const part of parts) if (part.$ref) part.$ref += 'Open';
      schema.unevaluatedProperties = false;
    } else if (!name && schema.properties && schema.additionalProperties === undefined)
      schema.additionalProperties = false;
    for (const part of parts ?? []) for (const inner of innerSchemas(part)) close(inner);
    for (const inner of innerSchemas(schema)) close(inner);
  };
  const responses = [
    ...Object.values(copy.components.responses as Record<string, Response>),
    ...Object.values(copy.paths).flatMap((item) =>
      (['get', 'post', 'delete'] as const).flatMap((method) => Object.values(item[method]?.responses ?? {})),
    ),
  ];
  for (const response of responses)
    for (const { schema } of Object.values((response as Response).content ?? {}))
      close(schema as Record<string, unknown>);
  Object.assign(schemas, openOnes);
  return copy;
}

function innerSchemas({ properties, patternProperties, items, anyOf, oneOf }: Record<string, unknown>) {
  const inner = [properties, patternProperties].flatMap((group) => Object.values(group ?? {}));
  return [...inner, ...(items ? [items] : []), ...((anyOf ?? oneOf ?? []) as unknown[])] as Record<string, unknown>[];
}
