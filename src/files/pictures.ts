/**
 * Makes small pictures of large ones: one at a time in each process, users in turn. Only four formats are read at all,
 * and nothing whose pixels would take too much memory or time.
 */
import { LRUCache } from 'lru-cache';
import type { Metadata } from 'sharp';
import { ApiError, tooManyNow, unavailable } from '../errors.js';
import { FairQueue, type Leaving } from '../turns/fair-queue.js';
import { bareGif } from './bare-gif.js';
import { bareJpeg } from './bare-jpeg.js';
import { barePng } from './bare-png.js';
import { bareWebp } from './bare-webp.js';
import { typeOfContent } from './file-type.js';
import { PictureError } from './picture-error.js';

export interface Picture {
  readonly type: 'image/jpeg' | 'image/png';
  readonly bytes: Buffer;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** `cover` cuts off what is beyond the frame, `inside` keeps all of the picture. */
  readonly fit: 'cover' | 'inside';
}

/** Gives all bytes of a picture, or fails at the signal. */
export type ReadPicture = (signal: AbortSignal) => Promise<Buffer>;

export const pictureLimits = {
  bytes: 32 * 2 ** 20,
  pixels: 50_000_000,
  /** The most of width and of height: a very long line is decoded as a whole, and very many lines take as long. */
  side: 32_767,
  seconds: 5,
  decodedBytes: 128 * 2 ** 20,
} as const;

/** A picture that could not be made is tried again then: what took too long may not the next time. */
const refusalMs = 600_000;

/** As that of a small picture. */
const bytesOfRefusal = 1024;

const seconds = 5;
const bounds = { running: 1, waiting: 64, waitingOfClient: 16, milliseconds: 10_000 };

export class Pictures {
  private readonly queue = new FairQueue<number>(
    bounds,
    (full) =>
      full === 'client'
        ? tooManyNow('transfers', 'Too many pictures are being made for this user. Try again in a moment.', seconds)
        : unavailable('Too many pictures are being made. Try again in a moment.', seconds, 'transfers'),
    // Whoever had the last turn comes behind all others.
    (userId) => (userId === this.last ? 1 : 0),
  );
  private last: number | undefined;
  /** The bytes of a picture must have come by then: others wait for the place. */
  readingMs = 5000;
  /** What was made, or why it cannot be. */
  private readonly made = new LRUCache<string, Picture | PictureError>({
    maxSize: 8 * 2 ** 20,
    sizeCalculation: (made) => (made instanceof PictureError ? bytesOfRefusal : made.bytes.length),
  });
  private readonly underWay = new Map<string, Promise<Picture>>();

  refuseWaiting(): void {
    this.queue.refuseWaiting();
  }

  /** What has the same tag is made once, for all who ask, and kept. Errors: PictureError, 429, 503. */
  async shared(userId: number, tag: string, frame: Frame, read: ReadPicture): Promise<Picture> {
    const made = this.made.get(tag);
    if (made instanceof PictureError) throw made;
    const begin = (): Promise<Picture> => this.begin(tag, this.make(userId, frame, read));
    const joined = this.underWay.get(tag);
    if (!joined) return made ?? begin();
    // That so many pictures of somebody else wait refuses his turn, and not those of others.
    return joined.catch((error: unknown) => {
      if (error instanceof ApiError) return this.underWay.get(tag) ?? begin();
      throw error;
    });
  }

  /** `read` is asked once it is its turn. Who leaves waits no longer. Errors: PictureError, 429, 503. */
  async make(userId: number, frame: Frame, read: ReadPicture, leaving?: Leaving): Promise<Picture> {
    const end = await this.queue.enter(userId, 1, leaving);
    try {
      this.last = userId;
      return await resized(await read(AbortSignal.timeout(this.readingMs)), frame);
    } finally {
      end();
    }
  }

  private async begin(tag: string, making: Promise<Picture>): Promise<Picture> {
    this.underWay.set(tag, making);
    try {
      const picture = await making;
      this.made.set(tag, picture);
      return picture;
    } catch (error) {
      if (error instanceof PictureError) this.made.set(tag, error, { ttl: refusalMs });
      throw error;
    } finally {
      this.underWay.delete(tag);
    }
  }
}

/**
 * Only what draws the first image of a file is handed over. The header is read without a limit of time; the rest counts
 * against one.
 */
const bareOf: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  'image/gif': bareGif,
  'image/jpeg': bareJpeg,
  'image/png': barePng,
  'image/webp': bareWebp,
};

async function resized(bytes: Buffer, { width, height, fit }: Frame): Promise<Picture> {
  const kind = await typeOfContent(bytes);
  const bare = bareOf[kind];
  if (!bare) throw new PictureError();
  const sharp = await loadSharp();
  try {
    const image = sharp(bare(bytes), {
      limitInputPixels: pictureLimits.pixels,
      failOn: 'error',
    });
    const metadata = await image.metadata();
    const { hasAlpha } = metadata;
    if (Math.max(metadata.width, metadata.height) > pictureLimits.side) throw new PictureError();
    if (bytesAtOnce(metadata) > pictureLimits.decodedBytes) throw new PictureError();
    image.autoOrient().resize({ width, height, fit, withoutEnlargement: fit === 'inside' });
    image.timeout({ seconds: pictureLimits.seconds });
    const type = hasAlpha ? 'image/png' : 'image/jpeg';
    return { type, bytes: await (hasAlpha ? image.png() : image.jpeg()).toBuffer() };
  } catch (error) {
    throw new PictureError('', { cause: error });
  }
}

/** Most pictures are decoded line by line; those that are laid out otherwise must be whole in memory. */
function bytesAtOnce({ width, height, channels, depth, format, isProgressive }: Metadata): number {
  const isByLines = (format === 'png' || format === 'jpeg') && !isProgressive;
  return isByLines ? 0 : width * height * channels * (depth === 'uchar' ? 1 : depth === 'ushort' ? 2 : 8);
}

let loading: Promise<typeof import('sharp')['default']> | undefined;

/** With its first use. What it could read besides - SVG, PDF, files by their paths - is switched off. */
function loadSharp() {
  loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({
      operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadNsgif', 'VipsForeignLoadWebp'],
    });
    return sharp;
  });
  return loading;
}
