/** What a route says of itself to what runs before its handler; said by `@RouteConfig`. */
import type { FastifyRequest } from 'fastify';

export interface RouteFacts {
  /** It takes no body: whatever comes is not read. */
  readonly isWithoutBody?: boolean;
  /** It takes a body of so many bytes from anybody, since that says who is calling. */
  readonly openBodyBytes?: number;
  /** It writes nothing, whatever its method. */
  readonly isReading?: boolean;
}

export const withoutBody: RouteFacts = { isWithoutBody: true };

export const openBody = (bytes: number): RouteFacts => ({ openBodyBytes: bytes });

export const routeFacts = ({ routeOptions }: FastifyRequest): RouteFacts => (routeOptions.config ?? {}) as RouteFacts;
