/**
 * The memory for bodies, of all requests together: bytes count as they arrive, until the request is answered. Without room a body waits
 * unread. The eldest that waits goes on beyond the limit, one at a time, so that some body always comes to its end.
 */
import { type ApiError, unavailable } from '../errors.js';
import { requestTimedOut } from './edge-error-messages.js';

export interface RoomBounds {
  readonly bytes: number;
  /** Bodies that may wait at once. */
  readonly waiting: number;
  /** Seconds that one body may wait in all. */
  readonly patience: number;
  /** Bytes that the body beyond the limit must bring each second, since others wait for its end. */
  readonly pace: number;
  /** Bytes of a short body. Short ones may fill all of the room, long ones three quarters of it. */
  readonly short: number;
}

export const usualBounds = { waiting: 256, patience: 10, pace: 16 * 1024, short: 64 * 1024 };

/** Who reads a body. */
interface BodyReader {
  goOn(): void;
  fail(refusal: ApiError): void;
}

export class BodyRoom {
  private bytes = 0;
  /** Eldest first. */
  private readonly bodies = new Set<HeldBody>();
  private readonly waiting = new Set<HeldBody>();
  private beyond: HeldBody | undefined;
  private watching: NodeJS.Timeout | undefined;

  constructor(private readonly bounds: RoomBounds) {}

  get held(): number {
    return this.bytes;
  }

  enter(reader: BodyReader): HeldBody {
    const body = new HeldBody(this, reader);
    this.bodies.add(body);
    return body;
  }

  /** Whether the body may read on at once. */
  add(body: HeldBody, bytes: number): boolean {
    this.bytes += bytes;
    if (this.hasRoomFor(body)) return true;
    if (this.waiting.size >= this.bounds.waiting) {
      body.reader.fail(noRoom());
      return false;
    }
    this.waiting.add(body);
    this.watching ??= setInterval(() => this.watch(), 1000).unref();
    this.letOn();
    return !this.waiting.has(body);
  }

  leave(body: HeldBody): void {
    if (!this.bodies.delete(body)) return;
    this.bytes -= body.bytes;
    this.waiting.delete(body);
    if (this.beyond === body) this.beyond = undefined;
    this.letOn();
  }

  private letOn(): void {
    for (const body of this.bodies) {
      if (!this.waiting.has(body)) continue;
      if (!this.beyond && !this.hasRoomFor(body)) this.takeBeyond(body);
      if (!this.hasRoomFor(body)) continue;
      this.waiting.delete(body);
      body.reader.goOn();
    }
  }

  private takeBeyond(body: HeldBody): void {
    this.beyond = body;
    // It has until the end of the next second.
    body.brought = this.bounds.pace;
  }

  private hasRoomFor(body: HeldBody): boolean {
    const { bytes, short } = this.bounds;
    return body === this.beyond || this.bytes <= (body.bytes <= short ? bytes : 0.75 * bytes);
  }

  /** Each second while bodies wait. */
  private watch(): void {
    for (const body of [...this.waiting]) {
      body.waited += 1;
      if (body.waited > this.bounds.patience) body.reader.fail(noRoom());
    }
    const { beyond } = this;
    if (this.waiting.size === 0) {
      clearInterval(this.watching);
      this.watching = undefined;
    } else if (beyond && !beyond.isWhole && beyond.brought < this.bounds.pace) beyond.reader.fail(requestTimedOut());
    else if (beyond) beyond.brought = 0;
  }
}

/** A body in the room. */
export class HeldBody {
  bytes = 0;
  /** Bytes since the room was last looked at. */
  brought = 0;
  /** Seconds. */
  waited = 0;
  /** All of it has arrived. */
  isWhole = false;

  constructor(
    private readonly room: BodyRoom,
    readonly reader: BodyReader,
  ) {}

  /** Whether it may read on at once; else its reader is told when it may. */
  add(bytes: number): boolean {
    this.bytes += bytes;
    this.brought += bytes;
    return this.room.add(this, bytes);
  }

  leave(): void {
    this.room.leave(this);
  }
}

const noRoom = (): ApiError =>
  unavailable('The service holds as many bodies as it has room for. Try again in a moment.', 2);
