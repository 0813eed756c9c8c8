/**
 * Turns of large bodies to be read and carried out. What is made of a body takes many times its bytes until the request
 * is answered: an element of four bytes takes two hundred. So a few large bodies at a time are taken up, one of each
 * user in turn; short ones do not wait.
 */
import { type ApiError, tooManyNow, unavailable } from '../errors.js';
import { type FairBounds, FairQueue, type Fullness, type Leaving } from '../turns/fair-queue.js';

/** Bodies weigh their bytes. */
export interface TurnBounds extends FairBounds {
  /** A body of so many bytes does not wait. */
  readonly short: number;
}

export const usualTurnBounds: TurnBounds = {
  short: 64 * 1024,
  running: 2 * 2 ** 20,
  spare: 2 ** 20,
  waiting: 256,
  waitingOfClient: 64,
  milliseconds: 10_000,
};

export class BodyTurns {
  private readonly large: FairQueue<number>;

  constructor(private readonly bounds: TurnBounds) {
    this.large = new FairQueue(bounds, refusal);
  }

  refuseWaiting(): void {
    this.large.refuseWaiting();
  }

  /** Gives what ends the turn, nothing for a short body. Errors: 429, 503. */
  async enter(userId: number, bytes: number, leaving?: Leaving): Promise<(() => void) | undefined> {
    return bytes <= this.bounds.short ? undefined : this.large.enter(userId, bytes, leaving);
  }
}

const refusal = (full: Fullness): ApiError =>
  full === 'client'
    ? tooManyNow('bodies', 'Too many large bodies of this user wait. Try again in a moment.', 2)
    : unavailable(
        'The service is busy with as many large bodies as it takes up at once. Try again in a moment.',
        2,
        'bodies',
      );
