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
import { model } from './builder.js';

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
  private readonly validators = new Map<string, ValidateFunction>();

  private constructor(readonly document: OpenApiDocument) {
    addFormats.default(this.ajv as never);
    for (const format of ['int32', 'int64', 'double']) this.ajv.addFormat(format, true);
    this.ajv.addSchema(closed(document), 'openapi');
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
  complaintAbout({ operation }: DescribedOperation, { status, headers, text }: Answer): string | undefined {
    if ((status >= 500 && status !== 503) || (status === 405 && !operation.responses[405])) return `${status}: ${text}`;
    const described = operation.responses[status] ?? (status >= 400 ? operation.responses.default : undefined);
    if (!described) return `${status} is not described`;
    const { content } = this.resolved<Response>(described);
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
  resolved<T>(described: T | Reference | Schema): T {
    const pointer = (described as Partial<Reference>).$ref;
    if (pointer === undefined) return described as T;
    const found = pointer
      .split('/')
      .slice(1)
      .reduce<unknown>((from, key) => (from as Record<string, unknown>)[key], this.document);
    return found as T;
  }
}

/** Clients must bear fields that are added later; tests want to know of fields that are not described. */
function closed(document: OpenApiDocument): OpenApiDocument {
  const copy = structuredClone(document);
  const schemas = copy.components.schemas as Record<string, Record<string, unknown>>;
  for (const { name } of model.resources) {
    schemas[name]!.additionalProperties = false;
    schemas[`${name}Page`]!.additionalProperties = false;
  }
  return copy;
}
