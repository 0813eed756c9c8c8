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

const rowsOf = async (connection, name, text, values) => (await connection.query({ name, text, values })).rows;
