import type { ResourceType } from './model.js';

/** What follows from a resource alone, worked out once. */
export function byResource<T>(workOut: (resource: ResourceType) => T): (resource: ResourceType) => T {
  const results = new WeakMap<ResourceType, { result: T }>();
  return (resource) => {
    const present = results.get(resource);
    if (present) return present.result;
    const result = workOut(resource);
    results.set(resource, { result });
    return result;
  };
}
