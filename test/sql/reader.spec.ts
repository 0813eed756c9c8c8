/** How statements are run: by one plan for all values, or planned for them, whatever came before on the connection. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sessionOptions } from '../../src/database/session.js';
import { type Late, Reader } from '../../src/query/reader.js';
import type { Statement } from '../../src/sql.js';

const late: Late = {
  actor: { userId: 1, isAdministrator: true, isObserver: false, isReadOnly: false, projectIds: [], teamIds: [] },
  base: '',
};
const mode: Statement = { text: "select current_setting('plan_cache_mode')", parameters: [] };
const broken: Statement = { text: 'select 1 / (select 0)', parameters: [], isPlannedEachTime: true };

let pool: pg.Pool;

beforeAll(() => {
  pool = new pg.Pool({
    connectionString: inject('databaseUrl'),
    options: sessionOptions({ timeZone: 'UTC' }),
    max: 1,
    pipeline: true,
  } as pg.PoolConfig);
});
afterAll(() => pool.end());

describe.each([true, false])('with names: %s', (usesNames) => {
  const reader = new Reader(usesNames);
  const modeOf = async (statement: Statement) => (await reader.rows(statement, late, pool))[0]![0];

  it('plans once for all values, unless the statement says that they matter', async () => {
    expect(await modeOf(mode)).toBe('force_generic_plan');
    expect(await modeOf({ ...mode, isPlannedEachTime: true })).toBe('force_custom_plan');
    expect(await modeOf(mode)).toBe('force_generic_plan');
  });

  it('goes back to that when the statement fails', async () => {
    await expect(reader.rows(broken, late, pool)).rejects.toMatchObject({ code: '22012' });
    expect(await modeOf(mode)).toBe('force_generic_plan');
  });
});
