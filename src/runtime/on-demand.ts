/** Loads a package at its first use: for those that take a while to load and that many a run never needs. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * For CommonJS packages, whose loading needs no waiting; what they export is given by the type, as in
 * `typeof import('…')`.
 */
export function onDemand<T>(name: string): () => T {
  let loaded: T | undefined;
  return () => {
    loaded ??= require(name) as T;
    return loaded;
  };
}
