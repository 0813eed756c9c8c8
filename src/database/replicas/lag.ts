/**
 * How late a replica is, by the clock of this process: when the primary was at the place that the replica has replayed.
 * So a replica of an idle primary is not late, and clocks of other machines do not matter.
 */
import { hasReplayed, type WalPosition } from '../wal-position.js';

interface Sample {
  readonly position: WalPosition;
  /** Milliseconds. */
  readonly at: number;
}

const samplesKept = 100;

export class PrimaryHistory {
  /** Eldest first; the last one is the latest, whatever its distance. */
  private samples: Sample[] = [];
  /** The latest, in any distance. */
  private recent: Sample[] = [];

  /** Reaches back as far as a replica may be late. */
  constructor(private readonly reachMs: number) {}

  get latest(): WalPosition | undefined {
    return this.samples.at(-1)?.position;
  }

  /** Where it was so many milliseconds before it was last heard. */
  before(ms: number): WalPosition | undefined {
    const last = this.recent.at(-1);
    return (this.recent.findLast(({ at }) => last!.at - at >= ms) ?? this.recent[0])?.position;
  }

  note(position: WalPosition, at: number): void {
    this.recent = [...this.recent.slice(-14), { position, at }];
    const [before, last] = this.samples.slice(-2);
    // In between, a sample tells nothing new.
    if (last && before && last.at - before.at < this.reachMs / samplesKept) this.samples.pop();
    this.samples.push({ position, at });
    const eldest = this.samples.findIndex((sample) => at - sample.at <= this.reachMs);
    this.samples.splice(0, Math.max(0, eldest - 1));
  }

  /** Milliseconds; Infinity beyond what is kept. */
  lagOf(replayed: WalPosition): number {
    const latest = this.samples.at(-1);
    if (!latest) return Number.POSITIVE_INFINITY;
    const reached = this.samples.findLast(({ position }) => hasReplayed(replayed, position));
    return reached ? latest.at - reached.at : Number.POSITIVE_INFINITY;
  }
}
