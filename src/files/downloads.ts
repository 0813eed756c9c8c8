/** How many answers with bytes of files are sent at once: some of each user, and none to who takes hardly anything. */
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { nobodyWaits } from '../http/answer-room.js';
import type { Pace } from '../http/long-requests.js';
import type { ApiRequest } from '../http/request.js';
import { Places, withQuarters } from '../turns/places.js';

@Injectable()
export class Downloads {
  /**
   * Whoever takes less than this is cut off. Systems hand on what they hold in pieces of a megabyte, so that the time
   * is long.
   */
  pace: Pace = { bytes: 64 * 1024, milliseconds: 120_000 };
  private readonly places: Places;

  constructor(@Inject(CONFIG) { downloads }: Config) {
    this.places = new Places(withQuarters(downloads), 'files are being sent to clients');
  }

  /** Holds a place until the answer is sent or its client gone. Errors: 429, 503. */
  enter({ actor }: ApiRequest, { raw }: FastifyReply): void {
    if (raw.closed) throw nobodyWaits();
    const leave = this.places.enter(actor.userId);
    const watch = this.watch(raw);
    raw.once('close', () => {
      clearInterval(watch);
      leave();
    });
  }

  private watch(answer: FastifyReply['raw']): NodeJS.Timeout {
    const { bytes, milliseconds } = this.pace;
    let before: number | undefined;
    const look = (): void => {
      const { socket } = answer;
      if (!socket) return;
      const taken = socket.bytesWritten - socket.writableLength;
      // Until the first byte the service is the one that takes its time.
      if (before !== undefined && answer.headersSent && taken - before < bytes) socket.destroy();
      before = answer.headersSent ? taken : undefined;
    };
    return setInterval(look, milliseconds).unref();
  }
}
