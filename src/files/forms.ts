/** Reads forms with files: some at a time, of each user fewer, and none that comes too slowly. */
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.js';
import { CONFIG } from '../config.token.js';
import { type Pace, watchPace } from '../http/long-requests.js';
import { tellToContinue } from '../http/read-body.js';
import type { ApiRequest } from '../http/request.js';
import { Places, withQuarters } from '../places.js';
import { type FormLimits, readForm, type TakeFile } from './read-form.js';

@Injectable()
export class Forms {
  /** What is slower than this is refused. */
  pace: Pace = { bytes: 64 * 1024, milliseconds: 30_000 };
  /** Of attached files. */
  readonly limits: FormLimits;
  private readonly places: Places;

  constructor(@Inject(CONFIG) { fileBytes, filesPerUpload, uploads }: Config) {
    this.limits = { files: filesPerUpload, fileBytes };
    this.places = new Places(withQuarters(uploads), 'files are being sent');
  }

  /** The fields, once all files are taken. Errors: 400, 408, 413, 429, 503, and what `take` fails with. */
  async read(request: ApiRequest, take: TakeFile, limits = this.limits): Promise<ReadonlyMap<string, string>> {
    const leave = this.places.enter(request.actor.userId);
    try {
      tellToContinue(request.raw);
      const reading = readForm(request.raw, limits, take);
      const endWatch = watchPace(request.raw, this.pace, (error) => reading.fail(error));
      return await reading.fields.finally(endWatch);
    } finally {
      leave();
    }
  }
}
