/** Injection tokens of the two `pg` pools: the primary takes everything, the read pool may be a replica. */
export const PRIMARY_POOL = Symbol('PRIMARY_POOL');
export const READ_POOL = Symbol('READ_POOL');
