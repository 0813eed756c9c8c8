/** Puts the compiler together: who spells what. */
import type { JsonV2 } from '../../representation/json-v2.js';
import { shareOf } from './answer-size.js';
import { chainSql } from './chain.js';
import type { Compiling } from './compiling.js';
import { conditionSql } from './condition.js';
import { jsonSql } from './json.js';
import { valueSql } from './value.js';

const spell = { condition: conditionSql, value: valueSql, json: jsonSql, chain: chainSql };

/** For one statement. */
export const compiling = (json?: JsonV2): Compiling => ({
  spell,
  lists: new Map(),
  share: shareOf({ long: 8 }),
  json,
});
