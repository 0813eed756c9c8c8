/** The parts of an OpenAPI 3.1 document that this service writes. */

/** A JSON Schema of draft 2020-12. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header';
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, Reference>>;
}

export type Content = Readonly<Record<string, MediaType>>;

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

export type Reference = {
  readonly $ref: string;
};

export interface RequestBody {
  readonly description?: string;
  readonly required: boolean;
  readonly content: Content;
}

export type Method = 'get' | 'post' | 'delete';

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody | Reference;
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export type PathItem = Partial<Record<Method, Operation>> & {
  readonly parameters?: readonly (Parameter | Reference)[];
};

export type Paths = Readonly<Record<string, PathItem>>;

/** Real answers by the id of the operation that gave them, or by the status of a refusal. */
export type Examples = Readonly<Record<string, unknown>>;

type Section = 'schemas' | 'parameters' | 'responses' | 'headers' | 'examples' | 'requestBodies';

export const refTo = (section: Section, name: string): Reference => ({ $ref: `#/components/${section}/${name}` });
