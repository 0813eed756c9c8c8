/** What every connection is set to, whichever pool it belongs to. */
export interface SessionOptions {
  timeZone: string;
  statementTimeoutMs?: number;
}

/** Start-up options of a connection, in the form that libpq and `pg` take. */
export function sessionOptions({ timeZone, statementTimeoutMs = 10_000 }: SessionOptions): string {
  const settings: Record<string, string> = {
    // Dates are spelled by the database in the zone of the service.
    TimeZone: timeZone,
    DateStyle: 'ISO,YMD',
    IntervalStyle: 'postgres',
    extra_float_digits: '1',
    // Statements are long and cheap: compiling them costs a hundred times what it saves.
    jit: 'off',
    // Statements are named and run often: planning one for its values costs more than most of them take.
    plan_cache_mode: 'force_generic_plan',
    // What is asked for is in memory; counted as if it were on a disk, an index would seem dearer than reading a whole kind.
    seq_page_cost: '0.2',
    random_page_cost: '0.25',
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: '30000',
  };
  return Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)
    .join(' ');
}
