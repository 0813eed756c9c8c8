/** Looks at what of the database server the service relies on. */
import type { DataSource } from 'typeorm';
import { missingOf } from '../database/server-needs.js';
import { differingClocks } from '../database/zone-clocks.js';
import { type Finding, forPeople } from './finding.js';

export async function checkServer(dataSource: DataSource, timeZone: string): Promise<Finding[]> {
  const problems = await missingOf((text) => dataSource.query(text));
  const [{ autovacuum }] = await dataSource.query(`select current_setting('autovacuum') as autovacuum`);
  if (autovacuum !== 'on') problems.push('autovacuum is off: tables and indexes grow, and plans become wrong.');
  const clocks = await differingClocks(timeZone, (text) => dataSource.query(text));
  if (clocks) problems.push(clocks);
  return problems.map((problem) => forPeople('database', problem));
}
