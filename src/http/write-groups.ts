/**
 * Writes of one kind by one caller that arrive while others like them are under way wait for the next transaction, and share it: one
 * statement then stores what would have been one each, and one commit serves all. Whoever comes alone waits for nobody.
 *
 * It knows neither transactions nor time: `run` carries out those that go together, and settles each for itself.
 */

/** So many transactions of one kind are under way at once: one is prepared while another one commits. */
const mostRunning = 2;

/** So many share one. */
export const mostTogether = 16;

interface Member<Entry, Result> {
  readonly entry: Entry;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

interface Lane<Entry, Result> {
  running: number;
  readonly waiting: Member<Entry, Result>[];
}

/** Gives an outcome for each entry, in their order. */
export type Run<Entry, Result> = (entries: readonly Entry[]) => Promise<readonly PromiseSettledResult<Result>[]>;

export class WriteGroups<Entry, Result> {
  private readonly lanes = new Map<string, Lane<Entry, Result>>();

  constructor(
    private readonly run: Run<Entry, Result>,
    /** Whether the second may share a transaction with the first, and all between them. */
    private readonly fits: (first: Entry, chosen: readonly Entry[], next: Entry) => boolean,
  ) {}

  /** Entries with other keys never go together. */
  join(key: string, entry: Entry): Promise<Result> {
    const lane = this.lanes.get(key) ?? { running: 0, waiting: [] };
    this.lanes.set(key, lane);
    return new Promise((resolve, reject) => {
      lane.waiting.push({ entry, resolve, reject });
      this.advance(key, lane);
    });
  }

  private advance(key: string, lane: Lane<Entry, Result>): void {
    while (lane.running < mostRunning && lane.waiting.length > 0) {
      lane.running += 1;
      void this.carryOut(this.choose(lane)).finally(() => {
        lane.running -= 1;
        this.advance(key, lane);
      });
    }
    if (lane.running === 0) this.lanes.delete(key);
  }

  /** The eldest, and those behind it that fit. */
  private choose(lane: Lane<Entry, Result>): Member<Entry, Result>[] {
    const [first, ...others] = lane.waiting.splice(0);
    const chosen = [first!];
    for (const member of others) {
      const entries = chosen.map(({ entry }) => entry);
      const isChosen = chosen.length < mostTogether && this.fits(first!.entry, entries, member.entry);
      (isChosen ? chosen : lane.waiting).push(member);
    }
    return chosen;
  }

  private async carryOut(members: readonly Member<Entry, Result>[]): Promise<void> {
    try {
      const outcomes = await this.run(members.map(({ entry }) => entry));
      members.forEach(({ resolve, reject }, at) => {
        const outcome = outcomes[at]!;
        if (outcome.status === 'fulfilled') resolve(outcome.value);
        else reject(outcome.reason);
      });
    } catch (error) {
      for (const { reject } of members) reject(error);
    }
  }
}
