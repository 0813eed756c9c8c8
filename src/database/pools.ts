/**
 * Injection token of the `pg` pool of the primary. Those of replicas are with `Replicas`, which knows who may read
 * there.
 */
export const PRIMARY_POOL = Symbol('PRIMARY_POOL');
