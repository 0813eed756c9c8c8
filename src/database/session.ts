/** The settings that every connection has, whichever pool it belongs to, and the question whether it has them. */
export interface SessionOptions {
  timeZone: string;
  /** 0 for none. */
  statementTimeoutMs?: number;
}

/** By the names that PostgreSQL has for them. */
export type SessionSettings = Readonly<Record<string, string>>;

export const sessionSettings = ({ timeZone, statementTimeoutMs = 10_000 }: SessionOptions): SessionSettings => ({
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  // Dates are spelled by the database in the zone of the service.
  TimeZone: timeZone,
  DateStyle: 'ISO,YMD',
  IntervalStyle: 'postgres',
  extra_float_digits: '1',
  // What is read behind a lock must be what is there by then.
  default_transaction_isolation: 'read committed',
  // Statements mean, and find, what they say.
  array_nulls: 'on',
  transform_null_equals: 'off',
  gin_fuzzy_search_limit: '0',
  // Statements are long and cheap: compiling them costs a hundred times what it saves.
  jit: 'off',
  // Statements are named and run often: planning one for its values costs more than most of them take.
  plan_cache_mode: 'force_generic_plan',
  // What is asked for is in memory; counted as if it were on a disk, an index would seem dearer than reading a whole
  // kind.
  seq_page_cost: '0.2',
  random_page_cost: '0.25',
  statement_timeout: String(statementTimeoutMs),
  idle_in_transaction_session_timeout: statementTimeoutMs === 0 ? '0' : '30000',
});

/** That of transactions is of PostgreSQL 17. */
const limitsOfTime = [
  ...['statement_timeout', 'lock_timeout', 'transaction_timeout'],
  ...['idle_in_transaction_session_timeout', 'idle_session_timeout'],
];

const lifted = (names: readonly string[], isLocal: boolean): string =>
  `(select count(set_config(name, '0', ${isLocal})) from pg_settings where name in ('${names.join("', '")}'))`;

/** The limit of temporary files, which only a superuser may lift: the embedded PostgreSQL has one. */
const liftedFiles = (isLocal: boolean): string =>
  `(select count(set_config('temp_file_limit', '-1', ${isLocal})) where current_setting('is_superuser') = 'on')`;

/** An expression that lifts all limits until the transaction ends, whoever has set them. */
export const untimedTransaction = `(${lifted(limitsOfTime, true)} + ${liftedFiles(true)})`;

/** Whether nothing may end what runs in it because it takes long. */
export const isUntimed = ({ statement_timeout }: SessionSettings): boolean => statement_timeout === '0';

/** An expression that lifts limits until the session ends: all where statements have none, else that of being idle. */
export const liftedLimits = (settings: SessionSettings): string =>
  isUntimed(settings)
    ? `(${lifted(limitsOfTime, false)} + ${liftedFiles(false)})`
    : lifted(['idle_session_timeout'], false);

/** As one start-up option, in the form that libpq and `pg` take. */
export const sessionOptions = (options: SessionOptions): string =>
  Object.entries(sessionSettings(options))
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');

export interface WrongSetting {
  name: string;
  wanted: string;
  held: string;
}

/** Only a superuser may set it, so it can but be refused: no trigger fires, and no foreign key is checked. */
export const firesNothing = { name: 'session_replication_role', held: 'replica' };

/**
 * Tells the settings that are not in force. PostgreSQL itself brings what is wanted into its own form, until the
 * transaction ends. An expression that comes along is worked out where one is in force.
 */
export const wrongSettings = (settings: SessionSettings, along = '0'): { text: string; values: string[][] } => ({
  text: `select name, held, wanted from (
      select name, current_setting(name) as held, set_config(name, wanted, true) as wanted
      from unnest($1::text[], $2::text[]) as asked (name, wanted) offset 0
    ) as compared where held <> wanted or ${along} < 0
    union all select name, setting, reset_val from pg_settings
      where name = '${firesNothing.name}' and setting = '${firesNothing.held}'`,
  values: [Object.keys(settings), Object.values(settings)],
});
