/**
 * Which of several addresses takes writes, as `target_session_attrs=read-write` of libpq finds it: all are asked at
 * once, and the first that does is kept until it is found to take none any more.
 */
import { addressesOf } from '../config/database-addresses.js';
import { DatabaseClient } from './client.js';

export class WritableAddress {
  /** Undefined: they are to be asked. */
  current: string | undefined;
  private finding: Promise<string> | undefined;

  private readonly addresses: readonly string[];

  constructor(url: string) {
    this.addresses = addressesOf(url);
    this.forget();
  }

  get hasSeveral(): boolean {
    return this.addresses.length > 1;
  }

  /** Does nothing where there is one address. */
  forget(): void {
    this.current = this.hasSeveral ? undefined : this.addresses[0];
  }

  find(): Promise<string> {
    this.finding ??= firstWritable(this.addresses).finally(() => {
      this.finding = undefined;
    });
    return this.finding.then((address) => {
      this.current = address;
      return address;
    });
  }
}

/** Of a URL with one host, which need not take writes, it is that. */
export async function writableAddressOf(url: string): Promise<string> {
  const addresses = addressesOf(url);
  return addresses.length > 1 ? firstWritable(addresses) : url;
}

/** So long all of them together have; whoever needs a connection waits for this. */
const findingMs = 4000;

/**
 * Fails as the first of them does that cannot be asked, or else because none takes writes. One that says nothing is
 * left: another one may take writes by then.
 */
export async function firstWritable(addresses: readonly string[]): Promise<string> {
  const asking: DatabaseClient[] = [];
  /** Fails for an address that cannot be asked; the others are asked all the same. */
  const ask = async (connectionString: string): Promise<string> => {
    const client = new DatabaseClient({ connectionString });
    asking.push(client);
    await mustTakeWrites(client);
    return connectionString;
  };
  const end = (code: string, reason: string): void => {
    for (const client of asking) client.terminate(code, reason);
  };
  const timer = setTimeout(() => end('ETIMEDOUT', 'no answer'), findingMs).unref();
  try {
    return await Promise.any(addresses.map(ask));
  } catch (error) {
    const errors = (error as AggregateError).errors as Error[];
    throw errors.find((one) => (one as { code?: unknown }).code !== readOnly) ?? errors[0]!;
  } finally {
    clearTimeout(timer);
    end('', 'not used');
  }
}

const readOnly = '25006';

export const askWritable = `select not pg_is_in_recovery() and not current_setting('transaction_read_only')::boolean as "isWritable"`;

async function mustTakeWrites(client: DatabaseClient): Promise<void> {
  await client.connect();
  const { rows } = await client.query<{ isWritable: boolean }>(askWritable);
  if (!rows[0]!.isWritable)
    throw Object.assign(new Error('No address of the database takes writes.'), { code: readOnly });
}
