/**
 * Writes of one kind by one caller that arrive while another one like them is under way wait for the next transaction,
 * and share it: one statement then stores what would have been one each, and one commit serves all. Whoever comes alone
 * waits for nobody. Behind several the next transaction waits a moment for half as many: their clients have been
 * answered and are about to ask again, and the first of them would else go alone, before all others. While more are
 * under way than wait, the next transaction begins at their end: clients fall into two groups, of which one is stored
 * while the other one is read and answered.
 *
 * It does not know what a transaction is: `run` carries out those that go together, and settles each for itself.
 */

/** One that takes longer, since it waits for a lock, is not waited for. */
const patienceMs = 100;

/** So many share one. */
export const mostTogether = 32;

/** For half as many as went together before; less than a transaction of one takes. */
export const gatherMs = 2;

interface Member<Entry, Result> {
  readonly entry: Entry;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

interface Lane<Entry, Result> {
  isTaken: boolean;
  /** Entries whose outcome is waited for. */
  underWay: number;
  readonly waiting: Member<Entry, Result>[];
  /** So many are worth waiting for. */
  wanted: number;
  gathering?: NodeJS.Timeout | undefined;
}

/**
 * Gives the outcome of each entry, in their order. `makeWay` is called where the next ones may begin before these are
 * done.
 */
export type Run<Entry, Result> = (entries: readonly Entry[], makeWay: () => void) => readonly Promise<Result>[];

export class WriteGroups<Entry, Result> {
  private readonly lanes = new Map<string, Lane<Entry, Result>>();

  constructor(
    private readonly run: Run<Entry, Result>,
    /** Whether the next may share a transaction with the first, and all chosen between them. */
    private readonly fits: (first: Entry, chosen: readonly Entry[], next: Entry) => boolean,
  ) {}

  /** Entries with other keys never go together. */
  join(key: string, entry: Entry): Promise<Result> {
    const lane = this.lanes.get(key) ?? { isTaken: false, underWay: 0, waiting: [], wanted: 0 };
    this.lanes.set(key, lane);
    return new Promise((resolve, reject) => {
      lane.waiting.push({ entry, resolve, reject });
      this.advance(key, lane);
    });
  }

  /** An entry that has not begun is not carried out, and has no outcome. False where it has begun. */
  withdraw(key: string, entry: Entry): boolean {
    const { waiting = [] } = this.lanes.get(key) ?? {};
    const at = waiting.findIndex((member) => member.entry === entry);
    if (at >= 0) waiting.splice(at, 1);
    return at >= 0;
  }

  private advance(key: string, lane: Lane<Entry, Result>): void {
    if (lane.isTaken || lane.waiting.length < lane.underWay) return;
    if (lane.waiting.length < lane.wanted) {
      lane.gathering ??= setTimeout(() => this.goOn(key, lane), gatherMs);
      return;
    }
    this.goOn(key, lane);
  }

  private goOn(key: string, lane: Lane<Entry, Result>): void {
    clearTimeout(lane.gathering);
    lane.gathering = undefined;
    lane.wanted = 0;
    if (lane.waiting.length === 0) {
      if (lane.underWay === 0) this.lanes.delete(key);
      return;
    }
    lane.isTaken = true;
    const members = this.choose(lane);
    const { length } = members;
    lane.underWay += length;
    const makeWay = once(() => {
      lane.isTaken = false;
      lane.wanted = Math.floor(length / 2);
      this.advance(key, lane);
    });
    const leave = once(() => {
      lane.underWay -= length;
      makeWay();
      this.advance(key, lane);
    });
    this.carryOut(members, makeWay, leave);
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

  private carryOut(members: readonly Member<Entry, Result>[], makeWay: () => void, leave: () => void): void {
    const outcomes = this.run(
      members.map(({ entry }) => entry),
      makeWay,
    );
    members.forEach(({ resolve, reject }, at) => void outcomes[at]!.then(resolve, reject));
    const patience = setTimeout(leave, patienceMs).unref();
    void Promise.allSettled(outcomes).then(() => {
      clearTimeout(patience);
      leave();
    });
  }
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}
