/** What follows a transaction once it is committed. */
type Act = () => void | Promise<void>;

export class TransactionEnds {
  private readonly later: Act[] = [];

  afterCommit(act: Act): void {
    this.later.push(act);
  }

  /** What is written is written, whether or not what is kept in memory can be renewed now. */
  async committed(): Promise<void> {
    await Promise.allSettled(this.later.map(async (act) => act()));
  }
}
