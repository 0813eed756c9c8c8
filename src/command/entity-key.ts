/** One text for each entity: kinds of one root share their ids. */
import type { ResourceType } from '../model/model.js';

export const keyOf = (resource: ResourceType, id: number): string => `${resource.root.name}:${id}`;
