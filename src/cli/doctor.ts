/**
 * `worktrack doctor`: looks for what is wrong with configuration, database, schema, indexes, places, values of custom
 * fields, totals, words to search by and files, and mends what it can.
 */
import type { DataSource } from 'typeorm';
import type { Config } from '../config/config.js';
import { areShared } from '../database/detect-poolers.js';
import { openOutsideTransactions } from '../database/open-client.js';
import { sessionSettings } from '../database/session.js';
import { checkFiles } from '../doctor/files.js';
import { type Finding, forPeople } from '../doctor/finding.js';
import { checkPlaces } from '../doctor/places.js';
import { checkRecords } from '../doctor/records.js';
import { checkSchema } from '../doctor/schema.js';
import { checkServer } from '../doctor/server.js';
import { checkTotals } from '../doctor/totals.js';
import { checkValues } from '../doctor/values.js';
import { checkWords } from '../doctor/words.js';
import { openFileStore } from '../files/open-store.js';
import type { Model } from '../model/model.js';
import { exitCodes } from './command-error.js';
import { hasCurrentSchema } from './must-be-current.js';
import { type Format, say, spelledJson } from './output.js';
import { withDatabase } from './with-database.js';

/** `failure`: why it could not be mended. */
type Diagnosis = Finding & { readonly isMended: boolean; readonly failure?: string };

/** A malformed configuration, or a database that cannot be reached, ends it with one line, as it ends the service. */
export async function examine(
  env: NodeJS.ProcessEnv,
  { fix = false, files = false, ...format }: Format & { fix?: boolean; files?: boolean },
): Promise<void> {
  await withDatabase(env, async (config) => {
    const diagnoses: Diagnosis[] = [];
    for (const finding of await findingsOf(config, files))
      diagnoses.push({ ...finding, ...(fix ? await mended(config, finding) : { isMended: false }) });
    tell(diagnoses, format);
    if (diagnoses.some(({ isMended }) => !isMended)) process.exitCode = exitCodes.findings;
  });
}

async function findingsOf(config: Config, readsFiles: boolean): Promise<Finding[]> {
  if (!(await hasCurrentSchema(config)))
    return [forPeople('schema', 'The schema is not current: run "worktrack migrate", or start the service.')];
  return withDataSource(config, async (dataSource) => {
    const store = await openFileStore(config);
    const model = await declaredModel();
    const schema = await checkSchema(dataSource);
    const first = [...(await checkServer(dataSource, config.timeZone)), ...schema.findings];
    if (!schema.isComplete) return first;
    return [
      ...first,
      ...(await checkRecords(dataSource, model)),
      ...(await checkPlaces(dataSource, model)),
      ...(await checkValues(dataSource)),
      ...(await checkTotals(dataSource)),
      ...(await checkWords(dataSource)),
      ...(await checkFiles(dataSource, store, { ...config, readsFiles })),
    ];
  });
}

/** What the database holds, as the entities declare it. */
async function declaredModel(): Promise<Model> {
  const { buildModel } = await import('../model/build-model.js');
  const { resourceEntities } = await import('../modules/entities.js');
  return buildModel(resourceEntities);
}

/** What fails keeps none of the others from being mended. */
async function mended(config: Config, finding: Finding): Promise<Pick<Diagnosis, 'isMended' | 'failure'>> {
  try {
    return { isMended: await mend(config, finding) };
  } catch (error) {
    return { isMended: false, failure: whyOf(error) };
  }
}

/** With the detail that the server sends, such as which values are there twice. */
function whyOf(error: unknown): string {
  const { message, detail } = error as Partial<Record<'message' | 'detail', string>>;
  return [message ?? String(error), ...(detail ? [detail] : [])].map((part) => part.replace(/\.$/, '')).join(': ');
}

/** Indexes are made concurrently, which no transaction may do. */
async function mend({ databaseUrl, timeZone }: Config, { mends }: Finding): Promise<boolean> {
  const isShared = await areShared({ connectionString: databaseUrl!, settings: sessionSettings({ timeZone }) });
  const client = await openOutsideTransactions({ databaseUrl: databaseUrl!, isShared });
  try {
    for (const step of mends) await (typeof step === 'string' ? client.query(step) : step(client));
  } finally {
    await client.end();
  }
  return mends.length > 0;
}

async function withDataSource<T>(config: Config, work: (dataSource: DataSource) => Promise<T>): Promise<T> {
  const { createDataSource } = await import('../database/data-source.js');
  const { databaseUrl, timeZone } = config;
  const isShared = await areShared({ connectionString: databaseUrl!, settings: sessionSettings(config) });
  const options = { timeZone, pool: 1, statementTimeoutMs: 0, isShared };
  const dataSource = await createDataSource(databaseUrl!, options).initialize();
  try {
    return await work(dataSource);
  } finally {
    await dataSource.destroy();
  }
}

function stateOf({ isMended, failure, mends }: Diagnosis): string {
  if (isMended) return 'mended';
  if (failure !== undefined) return `could not be mended: ${failure}`;
  return mends.length > 0 ? '--fix mends it' : 'needs you';
}

function tell(diagnoses: readonly Diagnosis[], { json }: Format): void {
  const findings = diagnoses.map((one) => ({ check: one.check, problem: one.problem, state: stateOf(one) }));
  const lines = findings.map(({ check, problem, state }) => `${check}: ${problem} (${state})`);
  const text =
    lines.join('\n') ||
    'Configuration, database, schema, indexes, record, places, values, totals, words and files are right.';
  say(json ? spelledJson(findings) : text);
}
