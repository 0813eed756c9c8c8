/**
 * How many forms are read at the same time, in all and of one user. Others wait for a place; as long as they do,
 * whoever brings least gives way, and who has more places than others, too.
 */
import { type ApiError, tooManyNow, unavailable } from '../errors.js';
import { requestTimedOut } from '../http/edge-error-messages.js';
import { withQuarters } from '../turns/places.js';

/** A form that is being read. */
export interface Upload {
  /** Bytes that have come so far. */
  brought(): number;
  /** Whether its bytes are left unread for now. */
  isHeldBack(): boolean;
  fail(error: ApiError): void;
}

/** Who waits for a place. */
export interface Leaving {
  /** It is closed, or about to be. */
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/**
 * While others wait, the bytes that a form brings at each look, and how often it may bring less; how often a form may
 * wait for one.
 */
export const usualGiving = { bytes: 16 * 1024, looks: 3, patience: 10, milliseconds: 1000 };

interface Waiter {
  readonly userId: number;
  waited: number;
  start(place: UploadPlace): void;
  refuse(error: ApiError): void;
}

export class UploadPlaces {
  giving = usualGiving;
  private readonly taken = new Set<UploadPlace>();
  private readonly waiting = new Set<Waiter>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly places: number) {}

  /** Gives a place, to be left once. Errors: 429, 503. */
  async enter(userId: number, leaving: Leaving): Promise<UploadPlace> {
    const waiting = [...this.waiting].filter((one) => one.userId === userId).length;
    if (this.ownedBy(userId) + waiting >= withQuarters(this.places).ofUser) throw tooManyOfUser();
    const isFree = this.waiting.size === 0 && this.taken.size < this.places;
    return isFree ? this.take(userId) : this.turn(userId, leaving);
  }

  /** Fails all that are read or wait. */
  failAll(error: ApiError): void {
    for (const waiter of [...this.waiting]) waiter.refuse(error);
    for (const { upload } of [...this.taken]) upload?.fail(error);
  }

  leave(place: UploadPlace): void {
    this.taken.delete(place);
    this.startWaiting();
  }

  private take(userId: number): UploadPlace {
    const place = new UploadPlace(userId, this);
    this.taken.add(place);
    return place;
  }

  private turn(userId: number, leaving: Leaving): Promise<UploadPlace> {
    if (leaving.destroyed || this.waiting.size >= 4 * this.places) throw allTaken();
    return new Promise((resolve, reject) => {
      const leave = (settle: () => void): void => {
        leaving.off('close', left);
        this.waiting.delete(waiter);
        settle();
      };
      const left = (): void => waiter.refuse(allTaken());
      const waiter: Waiter = {
        userId,
        waited: 0,
        start: (place) => leave(() => resolve(place)),
        refuse: (error) => leave(() => reject(error)),
      };
      leaving.once('close', left);
      this.waiting.add(waiter);
      this.watch();
    });
  }

  private startWaiting(): void {
    while (this.waiting.size > 0 && this.taken.size < this.places) {
      const next = this.inTurn()[0]!;
      next.start(this.take(next.userId));
    }
  }

  /** Whoever has fewest places comes first, of equals who came first. */
  private inTurn(): Waiter[] {
    return [...this.waiting].sort((a, b) => this.ownedBy(a.userId) - this.ownedBy(b.userId));
  }

  private ownedBy(userId: number): number {
    return [...this.taken].filter((place) => place.userId === userId && !place.gaveWay).length;
  }

  /** As long as somebody waits. */
  private watch(): void {
    if (this.timer) return;
    for (const place of this.taken) place.look(Number.POSITIVE_INFINITY);
    this.timer = setInterval(() => this.look(), this.giving.milliseconds).unref();
  }

  private look(): void {
    for (const waiter of [...this.waiting]) {
      waiter.waited += 1;
      if (waiter.waited > this.giving.patience) waiter.refuse(allTaken());
    }
    if (this.waiting.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    for (const place of this.taken) place.look(this.giving.bytes);
    const leaving = [...this.taken].filter(({ gaveWay }) => gaveWay).length;
    for (const waiter of this.inTurn().slice(leaving)) this.makeRoom(waiter);
  }

  private makeRoom({ userId }: Waiter): void {
    const reading = [...this.taken].filter(({ gaveWay, upload }) => upload && !gaveWay);
    const slow = reading.filter(({ slowLooks }) => slowLooks >= this.giving.looks);
    const [slowest] = slow.sort((a, b) => b.slowLooks - a.slowLooks || this.ownedBy(b.userId) - this.ownedBy(a.userId));
    // Of who has more than one place more, what came last gives way: of that the least is lost.
    const own = this.ownedBy(userId);
    const large = reading.filter((place) => this.ownedBy(place.userId) > own + 1);
    const most = Math.max(...large.map((place) => this.ownedBy(place.userId)));
    (slowest ?? large.findLast((place) => this.ownedBy(place.userId) === most))?.giveWay();
  }
}

export class UploadPlace {
  upload: Upload | undefined;
  gaveWay = false;
  /** How often in a row it brought too little. */
  slowLooks = 0;
  private before = 0;

  constructor(
    readonly userId: number,
    private readonly places: UploadPlaces,
  ) {}

  leave(): void {
    this.places.leave(this);
  }

  look(bytes: number): void {
    if (!this.upload) return;
    const all = this.upload.brought();
    const isSlow = Number.isFinite(bytes) && all - this.before < bytes && !this.upload.isHeldBack();
    this.slowLooks = isSlow ? this.slowLooks + 1 : 0;
    this.before = all;
  }

  giveWay(): void {
    this.gaveWay = true;
    this.upload?.fail(requestTimedOut());
  }
}

const retryAfterSeconds = 5;

const allTaken = (): ApiError =>
  unavailable('Too many files are being sent at once. Try again in a moment.', retryAfterSeconds, 'transfers');

const tooManyOfUser = (): ApiError =>
  tooManyNow(
    'transfers',
    'Too many files are being sent of this user at once. Try again in a moment.',
    retryAfterSeconds,
  );
