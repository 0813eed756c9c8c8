/** How values of PostgreSQL become values of JavaScript. */
import pg from 'pg';

const { builtins, getTypeParser } = pg.types;

/** Arrays are not among the driver's names. */
const [int4Array, int8Array] = [1007, 1016];

/** Ids, versions and counts are numbers: none exceeds what a number holds exactly. */
const readAs = new Map<number, number>([
  [builtins.INT8, builtins.INT4],
  [int8Array, int4Array],
]);

export const columnTypes = {
  getTypeParser: (type: number) => getTypeParser(readAs.get(type) ?? type),
} as pg.CustomTypesConfig;
