/** The way of servers by hand to PostgreSQL: named statements, each prepared once on a connection, and transactions. */
export class Database {
  #pool;

  constructor(pool, server) {
    this.#pool = pool;
    /** The name of the server that asks: statements of a case may differ by it. */
    this.server = server;
  }

  rows(name, text, values) {
    return rowsOf(this.#pool, name, text, values);
  }

  /** The rows of `copy … to stdout`, each on a line. */
  async copied(text) {
    const client = await this.#pool.connect();
    try {
      return await new Promise((resolve, reject) => client.query(new CopyOut(text, resolve, reject)));
    } finally {
      client.release();
    }
  }

  /** `act` gets a function that runs named statements on the connection of the transaction. */
  async transaction(act) {
    const client = await this.#pool.connect();
    try {
      await client.query('begin');
      const result = await act((name, text, values) => rowsOf(client, name, text, values));
      await client.query('commit');
      return result;
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  }
}

/** As `pg` asks it of what it is to send and to hear of. */
class CopyOut {
  #chunks = [];
  #error;

  constructor(text, resolve, reject) {
    this.submit = (connection) => connection.query(text);
    this.handleReadyForQuery = () => (this.#error ? reject(this.#error) : resolve(Buffer.concat(this.#chunks)));
  }

  /** The format escapes what JSON has escaped already. */
  handleCopyData({ chunk }) {
    // The driver writes the next bytes to the same place.
    const bytes = Buffer.from(chunk);
    this.#chunks.push(bytes.includes('\\') ? Buffer.from(bytes.toString().replaceAll('\\\\', '\\')) : bytes);
  }

  handleError(error) {
    this.#error = error;
  }

  handleCommandComplete() {}
}

const rowsOf = async (connection, name, text, values) => (await connection.query({ name, text, values })).rows;
