/**
 * Loads the demonstration data: the same company, people and work every time, dated around today. Runs in the caller's
 * transaction.
 */
import type { ClientBase } from 'pg';
import { deleteItems, deleteProjects } from './deleted.js';
import { addFields } from './fields.js';
import { addPeople } from './people.js';
import { addPlan } from './plan.js';
import { addTalk } from './talk.js';
import { addTests } from './tests.js';
import { computeTotals } from './totals.js';
import { addWork } from './work.js';
import { DemoWriter } from './writer.js';

export interface DemoOptions {
  now: Date;
  /** Days are those of its clocks. */
  timeZone: string;
  /** Of the one password that all demonstration users have. */
  passwordHash: string;
}

export async function loadDemo(client: ClientBase, { now, timeZone, passwordHash }: DemoOptions): Promise<void> {
  // The past is written as it was, not as changes of today.
  await client.query(
    "select set_config('worktrack.history', 'off', true), set_config('worktrack.totals', 'off', true)",
  );
  const writer = new DemoWriter(now, timeZone);
  const people = addPeople(writer, passwordHash);
  const plan = addPlan(writer, people);
  const work = addWork(writer, plan, people);
  const runs = addTests(writer, plan, work, people);
  addTalk(writer, { plan, work, people, runs });
  addFields(writer, { plan, work, people });
  await writer.flush(client);
  await deleteItems(client, work, writer.midnight(-2));
  await computeTotals(client);
  await deleteProjects(client, plan, writer.midnight(-20));
  await client.query("select set_config('worktrack.history', '', true), set_config('worktrack.totals', '', true)");
  await client.query("insert into setting (name, value) values ('demo-data', $1)", [JSON.stringify({ loadedAt: now })]);
}
