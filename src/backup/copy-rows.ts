/** Rows of a table as PostgreSQL's COPY spells them, out of the database and into it, a piece at a time. */

import type { Duplex } from 'node:stream';
import type { Connection, Submittable } from 'pg';

/** What the driver's types leave out. */
interface CopyConnection extends Connection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(why: string): void;
}

/** All that may submit. */
export interface Submitting {
  query<T extends Submittable>(query: T): T;
}

/**
 * Resolves with the number of rows. `take` keeps nothing of what it is given; while it is busy nothing more is read.
 */
export const copyOut = (client: Submitting, text: string, take: (bytes: Buffer) => Promise<void> | undefined) =>
  new Promise<number>((resolve, reject) => client.query(new CopyOut(text, take, resolve, reject)));

/** Resolves with the number of rows. */
export const copyIn = (client: Submitting, text: string, chunks: AsyncIterable<Buffer>) =>
  new Promise<number>((resolve, reject) => client.query(new CopyIn(text, chunks, resolve, reject)));

abstract class Copy implements Submittable {
  protected failure: unknown;
  private rows = 0;

  constructor(
    private readonly text: string,
    private readonly resolve: (rows: number) => void,
    private readonly reject: (failure: unknown) => void,
  ) {}

  submit(connection: Connection): void {
    (connection as CopyConnection).query(this.text);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)/.exec(text)?.[1] ?? 0);
  }

  /** The server's refusal, after which it is ready again; or the end of the connection, after which nothing comes. */
  handleError(failure: unknown): void {
    this.failure ??= failure;
    this.reject(this.failure);
  }

  handleReadyForQuery(): void {
    if (this.failure === undefined) this.resolve(this.rows);
    else this.reject(this.failure);
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handlePortalSuspended(): void {}
  handleEmptyQuery(): void {}
  handleCopyInResponse(_connection: Connection): void {}
  handleCopyData(_message: { chunk: Buffer }, _connection: Connection): void {}
}

class CopyOut extends Copy {
  private busy = 0;

  constructor(
    text: string,
    private readonly take: (bytes: Buffer) => Promise<void> | undefined,
    resolve: (rows: number) => void,
    reject: (failure: unknown) => void,
  ) {
    super(text, resolve, reject);
  }

  override handleCopyData({ chunk }: { chunk: Buffer }, connection: Connection): void {
    if (this.failure !== undefined) return;
    const taking = this.take(chunk);
    if (taking) void this.pause(taking, (connection as CopyConnection).stream);
  }

  private async pause(taking: Promise<void>, stream: Duplex): Promise<void> {
    this.busy += 1;
    stream.pause();
    await taking.catch((failure: unknown) => {
      this.failure ??= failure;
    });
    this.busy -= 1;
    if (this.busy === 0) stream.resume();
  }
}

class CopyIn extends Copy {
  constructor(
    text: string,
    private readonly chunks: AsyncIterable<Buffer>,
    resolve: (rows: number) => void,
    reject: (failure: unknown) => void,
  ) {
    super(text, resolve, reject);
  }

  override handleCopyInResponse(connection: Connection): void {
    void this.send(connection as CopyConnection).catch((failure: unknown) => {
      this.failure ??= failure;
      (connection as CopyConnection).sendCopyFail('the rows cannot be read');
    });
  }

  private async send(connection: CopyConnection): Promise<void> {
    for await (const chunk of this.chunks) {
      if (this.failure !== undefined) return;
      connection.sendCopyFromChunk(chunk);
      while (connection.stream.writableLength > 0 && this.failure === undefined)
        await new Promise((resolve) => setImmediate(resolve));
    }
    connection.endCopyFrom();
  }
}
