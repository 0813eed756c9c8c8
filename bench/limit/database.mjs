/** The limit server's way to PostgreSQL: named statements, each prepared once on a connection, and transactions. */
export class Database {
  #pool;

  constructor(pool, totals) {
    this.#pool = pool;
    /** Whether statements add to the totals of projects by themselves, the triggers being off. */
    this.isAdding = totals !== 'database';
  }

  rows(name, text, values) {
    return rowsOf(this.#pool, name, text, values);
  }

  /** `act` gets a function that runs named statements on the connection of the transaction. */
  async transaction(act) {
    const client = await this.#pool.connect();
    try {
      await client.query(this.isAdding ? "begin; set local worktrack.totals = 'off'" : 'begin');
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
