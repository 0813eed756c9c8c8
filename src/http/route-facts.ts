/** What a route declares for what runs before its handler, by `@RouteConfig`. */
import type { FastifyRequest } from 'fastify';
import type { BodyType } from '../errors.js';

export interface RouteFacts {
  /** It takes no body: whatever comes is not read. */
  readonly isWithoutBody?: boolean;
  /** It takes a body of so many bytes from anybody, since that says who is calling. */
  readonly openBodyBytes?: number;
  /** Bytes of a body that it takes, where that differs from what others take. */
  readonly bodyBytes?: number;
  /** The types of bodies that it takes, as its refusal of others names them; JSON and XML unless it says so. */
  readonly bodies?: readonly BodyType[];
  /** Whether it takes a body without a type, as JSON or XML, by the parameters of the path. */
  readonly takesUntyped?: (path: Readonly<Record<string, string>>) => boolean;
  /** It reads multipart forms itself, as they come. */
  readonly takesFiles?: boolean;
  /** It writes nothing, whatever its method. */
  readonly isReading?: boolean;
  /** What it takes besides the parameters of lists, in lower case. */
  readonly parameters?: readonly string[];
}

export const withoutBody: RouteFacts = { isWithoutBody: true };

export const openBody = (bytes: number, bodies: readonly BodyType[]): RouteFacts => ({ openBodyBytes: bytes, bodies });

export const takesFiles: RouteFacts = { takesFiles: true, bodies: ['files'] };

/** What hold short texts, such as passwords. */
export const textsOrForm: readonly BodyType[] = ['json', 'xml', 'form'];

export const routeFacts = ({ routeOptions }: FastifyRequest): RouteFacts => (routeOptions.config ?? {}) as RouteFacts;

/** The pattern, such as `/api/v1/Bugs/:id`. Undefined: no route takes the request. */
export function routeOf({ routeOptions: { url }, params }: FastifyRequest): string | undefined {
  if (url === '*' || url === '/*') return undefined;
  const { resource } = (params ?? {}) as { resource?: string };
  return resource === undefined ? url : url?.replace(':resource', resource);
}
