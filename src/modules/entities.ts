/** The entities that the modules of the families serve, and what TypeORM maps besides. */
import { getMetadataArgsStorage } from 'typeorm';
import { servedBy } from '../http/resource.controller.js';
import type { EntityClass } from '../model/build-model.js';
import { families } from './families.js';

/** The entities the API serves: the model is built from them. */
export const resourceEntities: readonly EntityClass[] = families.flatMap(servedBy);

/** What TypeORM maps: these, and those that the service keeps for itself. */
export const entities = getMetadataArgsStorage().tables.map(({ target }) => target);
