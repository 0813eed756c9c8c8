/** A line of the log when clients have more connections than they may, or no more can be opened, and one afterwards. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { enoughFiles, tooFewFiles, watchOpenFiles } from '../runtime/open-files.js';
import { LOGGER } from './logger.js';

/** Clients that are closed come again: that is one and the same shortage, with one line at its beginning and end. */
const lastsMs = 10_000;

@Injectable()
export class OpenFilesLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private stop: (() => void) | undefined;
  private closedAt = -Infinity;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  onApplicationBootstrap(): void {
    this.stop = watchOpenFiles(
      () => this.hadTooFew(),
      (isShort) => {
        if (isShort) this.logger.error(tooFewFiles);
        else this.logger.info(enoughFiles);
      },
    );
  }

  /** A connection was closed to make room for another. */
  note(): void {
    this.closedAt = performance.now();
  }

  private hadTooFew(): boolean {
    return performance.now() - this.closedAt < lastsMs;
  }

  onApplicationShutdown(): void {
    this.stop?.();
  }
}
