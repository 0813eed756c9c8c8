/** Injection token of the entities that TypeORM maps. */
export const ENTITIES = Symbol('ENTITIES');
