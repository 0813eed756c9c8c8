/**
 * What a process remembers of its configuration, young enough for a request. All that come while it is looked up wait
 * for the same look-up; then they go on in turn, since each would begin what it does in one and the same step of the
 * event loop.
 */
import { Inject, Injectable } from '@nestjs/common';
import { WaitingRoom } from '../database/waiting-room.js';
import { CUSTOM_FIELDS, type CustomFields, PROCESS_SETUPS, type ProcessSetups } from './family-tokens.js';
import { LoopTurns } from './loop-turns.js';

@Injectable()
export class FreshConfiguration {
  constructor(
    @Inject(CUSTOM_FIELDS) private readonly customFields: CustomFields,
    @Inject(PROCESS_SETUPS) private readonly processes: ProcessSetups,
    private readonly waiting: WaitingRoom,
    private readonly turns: LoopTurns,
  ) {}

  /** Custom fields, which queries are compiled with. Undefined: there is nothing to wait for. Errors: 429, 503. */
  forReading(userId: number): Promise<void> | undefined {
    const loading = this.customFields.refresh();
    return loading && this.loaded(userId, loading);
  }

  /** What writes need besides: the set-up of processes. */
  forWriting(userId: number): Promise<void> | undefined {
    const loading = [this.customFields.refresh(), this.processes.loaded()].filter((one) => one !== undefined);
    return loading.length > 0 ? this.loaded(userId, Promise.all(loading)) : undefined;
  }

  private async loaded(userId: number, loading: Promise<unknown>): Promise<void> {
    await this.waiting.during(userId, () => loading);
    await this.turns.next(userId);
  }
}
