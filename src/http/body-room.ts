/** The memory for bodies, of all requests together, until these are answered. Without room a body waits unread. */
import { type ApiError, unavailable } from '../errors.js';
import { requestTimedOut } from './edge-error-messages.js';
import { type Holder, type MemoryBounds, SharedMemory } from './shared-memory.js';

export interface RoomBounds extends MemoryBounds {
  /** Seconds that one body may wait in all. */
  readonly patience: number;
  /** Bytes that the body beyond the limit must bring each second, since others wait for its end. */
  readonly pace: number;
}

export const usualBounds = { waiting: 256, patience: 10, pace: 16 * 1024, short: 64 * 1024 };

/** Who reads a body. */
type BodyReader = Pick<Holder, 'goOn' | 'fail'>;

export class BodyRoom extends SharedMemory<HeldBody, RoomBounds> {
  enter(reader: BodyReader): HeldBody {
    const body = new HeldBody(this, reader);
    this.holders.add(body);
    return body;
  }

  protected override full(): ApiError {
    return unavailable('The service holds as many bodies as it has room for. Try again in a moment.', 2, 'bodies');
  }

  protected override pass(body: HeldBody): void {
    super.pass(body);
    // It has until the end of the next second.
    body.brought = this.bounds.pace;
  }

  /** While bodies wait. */
  protected override watch(): boolean {
    for (const body of [...this.waiting]) {
      body.waited += 1;
      if (body.waited > this.bounds.patience) body.fail(this.full());
    }
    const { beyond } = this;
    if (this.waiting.size === 0) return false;
    if (beyond && !beyond.isWhole && beyond.brought < this.bounds.pace) beyond.fail(requestTimedOut());
    else if (beyond) beyond.brought = 0;
    return true;
  }
}

/** A body in the room. */
export class HeldBody implements Holder {
  bytes = 0;
  /** Bytes since the room was last looked at. */
  brought = 0;
  /** Seconds. */
  waited = 0;
  /** All of it has arrived. */
  isWhole = false;

  constructor(
    private readonly room: BodyRoom,
    private readonly reader: BodyReader,
  ) {}

  goOn(): void {
    this.reader.goOn();
  }

  fail(refusal: ApiError): void {
    this.reader.fail(refusal);
  }

  /** Whether it may read on at once; else its reader is notified when it may. */
  add(bytes: number): boolean {
    this.brought += bytes;
    return this.room.take(this, bytes);
  }

  /** It has come to its end, and keeps its memory. */
  end(): void {
    this.isWhole = true;
    this.room.stopWaiting(this);
  }

  leave(): void {
    this.room.leave(this);
  }
}
