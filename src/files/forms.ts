/** Reads forms with files: some at a time, of each user fewer, none that comes too slowly, and none for too long. */
import { Inject, Injectable, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { ApiError, unavailable } from '../errors.js';
import { malformedRequest } from '../http/edge-error-messages.js';
import { type Pace, watchPace } from '../http/long-requests.js';
import { tellToContinue } from '../http/read-body.js';
import { renewActor } from '../http/renew-actor.js';
import type { ApiRequest } from '../http/request.js';
import { type FormLimits, readForm, type TakeForm } from './read-form.js';
import { type UploadPlace, UploadPlaces } from './upload-places.js';

@Injectable()
export class Forms implements OnModuleDestroy, OnApplicationShutdown {
  /** What is slower than this is refused. */
  pace: Pace = { bytes: 64 * 1024, milliseconds: 30_000 };
  /** A form must have come by then, however fast it comes. */
  seconds: number;
  /** Limits of forms with attached files. */
  readonly limits: FormLimits;
  readonly places: UploadPlaces;
  /** When the service ends. */
  endMs = 8_000;
  private ending: NodeJS.Timeout | undefined;
  private readonly underWay = new Set<Promise<unknown>>();

  constructor(@Inject(CONFIG) { fileBytes, filesPerUpload, uploads, uploadSeconds }: Config) {
    this.limits = { files: filesPerUpload, fileBytes };
    this.seconds = uploadSeconds;
    this.places = new UploadPlaces(uploads);
  }

  /** What is being sent may still come to its end. */
  onModuleDestroy(): void {
    const fail = (): void => this.places.failAll(unavailable('The service ends. Send the form again.'));
    this.ending = setTimeout(fail, this.endMs);
  }

  /** Waits until forms under way have stored their files, or have removed them. */
  async onApplicationShutdown(): Promise<void> {
    clearTimeout(this.ending);
    await Promise.allSettled(this.underWay);
  }

  /**
   * The fields, once all files are taken and the caller was looked at again: `request.actor` is who he is now.
   * Errors: 400, 401, 403, 408, 413, 429, 503, and what `form` fails with.
   */
  async read(request: ApiRequest, form: TakeForm, limits = this.limits): Promise<ReadonlyMap<string, string>> {
    const place = await this.places.enter(request.actor.userId, request.raw.socket);
    const reading = this.readIn(place, request, form, limits).finally(() => place.leave());
    this.underWay.add(reading);
    const fields = await reading.finally(() => this.underWay.delete(reading));
    await renewActor(request);
    return fields;
  }

  private async readIn(place: UploadPlace, request: ApiRequest, form: TakeForm, limits: FormLimits) {
    const { raw } = request;
    if (raw.destroyed) throw malformedRequest();
    tellToContinue(raw);
    const reading = readForm(request, limits, form);
    const fail = (error: ApiError): void => reading.fail(error);
    place.upload = { brought: () => raw.socket.bytesRead, isHeldBack: () => raw.readableFlowing === false, fail };
    const endWatch = watchPace(raw, this.pace, fail);
    const timer = setTimeout(() => fail(tookTooLong(this.seconds)), this.seconds * 1000).unref();
    return reading.fields.finally(() => {
      endWatch();
      clearTimeout(timer);
    });
  }
}

const tookTooLong = (seconds: number): ApiError =>
  new ApiError('RequestTimeout', `The form did not arrive within ${seconds} seconds. Send less at once.`);
