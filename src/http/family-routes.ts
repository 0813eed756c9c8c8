/**
 * The routes of all families look alike, `/api/v1/{Entities}/…`: the router tells them apart by the family that has the
 * entities.
 */
import type { IncomingMessage } from 'node:http';
import type { Type } from '@nestjs/common';
import { RouteConstraints } from '@nestjs/platform-fastify';

/** By collection, in the canonical spelling that paths are brought to before they are routed. */
const families = new Map<string, string>();

/** Gives all routes of a controller to a family. */
export function ofFamily(controller: Type, family: string, resources: readonly { collection: string }[]): void {
  for (const { collection } of resources) families.set(collection, family);
  const { prototype } = controller;
  for (const method of Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor')) {
    const descriptor = Object.getOwnPropertyDescriptor(prototype, method);
    if (descriptor) RouteConstraints({ family })(prototype, method, descriptor);
  }
}

/** A constraint of the router. Routes that belong to no family know nothing of it. */
export const familyConstraint = {
  name: 'family',
  storage() {
    const handlers = new Map<unknown, unknown>();
    return {
      get: (family: unknown) => handlers.get(family) ?? null,
      set: (family: unknown, handler: unknown) => void handlers.set(family, handler),
    };
  },
  deriveConstraint: ({ url = '' }: IncomingMessage): string | undefined =>
    url.startsWith(base) ? families.get(/^[^/?]*/.exec(url.slice(base.length))![0]) : undefined,
};

const base = '/api/v1/';
