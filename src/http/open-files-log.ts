/** A line of the log when clients have more connections than they may, or no more can be opened, and one afterwards. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { enoughFiles, tooFewFiles, watchOpenFiles } from '../server/open-files.js';
import { LOGGER } from './logger.js';

@Injectable()
export class OpenFilesLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private stop: (() => void) | undefined;
  private closed = 0;

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
    this.closed += 1;
  }

  private hadTooFew(): boolean {
    const hadTooFew = this.closed > 0;
    this.closed = 0;
    return hadTooFew;
  }

  onApplicationShutdown(): void {
    this.stop?.();
  }
}
