/** A line of the log when no more connections can be opened or taken, and one when they can be again. */
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Logger } from 'pino';
import { enoughFiles, tooFewFiles, watchOpenFiles } from '../server/open-files.js';
import { LOGGER } from './logger.js';

@Injectable()
export class OpenFilesLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private stop: (() => void) | undefined;

  constructor(@Inject(LOGGER) private readonly logger: Logger) {}

  onApplicationBootstrap(): void {
    this.stop = watchOpenFiles((isShort) => {
      if (isShort) this.logger.error(tooFewFiles);
      else this.logger.info(enoughFiles);
    });
  }

  onApplicationShutdown(): void {
    this.stop?.();
  }
}
