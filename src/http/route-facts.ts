/** What a route says of itself to what runs before its handler; said by `@RouteConfig`. */
import type { FastifyRequest } from 'fastify';

export interface RouteFacts {
  /** It takes no body: whatever comes is not read. */
  readonly isWithoutBody?: boolean;
  /** It takes a body of so many bytes from anybody, since that says who is calling. */
  readonly openBodyBytes?: number;
  /** Bytes of a body that it takes, where that differs from what others take. */
  readonly bodyBytes?: number;
  /** It reads multipart forms itself, as they come. */
  readonly takesFiles?: boolean;
  /** It writes nothing, whatever its method. */
  readonly isReading?: boolean;
  /** What it takes besides the parameters of lists, in lower case. */
  readonly parameters?: readonly string[];
}

export const withoutBody: RouteFacts = { isWithoutBody: true };

export const openBody = (bytes: number): RouteFacts => ({ openBodyBytes: bytes });

export const takesFiles: RouteFacts = { takesFiles: true };

export const routeFacts = ({ routeOptions }: FastifyRequest): RouteFacts => (routeOptions.config ?? {}) as RouteFacts;

/** The pattern, such as `/api/v1/Bugs/:id`. Undefined: no route takes the request. */
export function routeOf({ routeOptions: { url }, params }: FastifyRequest): string | undefined {
  if (url === '*' || url === '/*') return undefined;
  const { resource } = (params ?? {}) as { resource?: string };
  return resource === undefined ? url : url?.replace(':resource', resource);
}
