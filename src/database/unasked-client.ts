/**
 * Connections to an address of which it is not known whether a pooler stands before it, since it was away at the start:
 * direct ones, until one of them shows that there is one, and shared ones from then on. Those name no statement, which
 * the pooler may forget.
 */
import { type ClientOptions, DatabaseClient } from './client.js';
import { SharedClient } from './shared-client.js';

/** As poolers refuse settings, and as a connection ends that does not keep them. */
const notKept = '08P01';

class NamelessClient extends SharedClient {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature is a dozen overloads
  override query(asked: any, ...rest: any[]): any {
    if (asked.name !== undefined) asked.name = undefined;
    return super.query(asked, ...rest);
  }
}

/** What makes the connections of one address. */
export function unaskedClient(): new (options: ClientOptions) => DatabaseClient {
  let isShared = false;
  const note = ({ code }: { code?: string }): void => {
    isShared ||= code === notKept;
  };
  return function UnaskedClient(options: ClientOptions) {
    if (isShared) return new NamelessClient(options);
    const client = new DatabaseClient(options);
    client.connection.on('errorMessage', note).on('error', note);
    client.once('connect', () => mustBeDirect(client));
    return client;
  } as unknown as new (
    options: ClientOptions,
  ) => DatabaseClient;
}

/** A pooler gives a number of its own. */
function mustBeDirect(client: DatabaseClient): void {
  client.query<{ pid: number }>('select pg_backend_pid() as pid', (error, result) => {
    if (!error && result.rows[0]!.pid !== client.processID) client.terminate(notKept, 'a pooler is in between');
  });
}
