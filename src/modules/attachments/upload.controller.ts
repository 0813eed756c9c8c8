/**
 * Where files are sent to: `POST /api/v1/Attachments`, and `POST /UploadFile.ashx`, which answers in a form of its own.
 */
import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { unsupportedMedia } from '../../errors.js';
import type { Batch, Item } from '../../http/answer.js';
import { isTakenByRoute } from '../../http/body-parsers.js';
import type { ApiRequest } from '../../http/request.js';
import { type RouteFacts, takesFiles } from '../../http/route-facts.js';
import type { Model } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { AttachmentsService } from './attachments.service.js';
import { recordedQuery, spellUpload } from './upload-answer.js';
import { Uploads } from './uploads.service.js';

@Controller()
export class UploadController {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly attachments: AttachmentsService,
    private readonly uploads: Uploads,
  ) {}

  @Post('api/v1/Attachments')
  @RouteConfig({ ...takesFiles, bodies: ['files', 'json', 'xml'] } satisfies RouteFacts)
  async create(@Req() request: ApiRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Item | Batch> {
    const saving = isTakenByRoute(request)
      ? this.uploads.take(request, () => this.attachments.ask(request))
      : this.attachments.save(this.model.resource('Attachment'), undefined, request);
    const { created, answer } = await saving;
    reply.status(created ? 201 : 200);
    return answer;
  }

  /** The answer is JSON, whatever is asked for. */
  @Post('UploadFile.ashx')
  @RouteConfig(takesFiles)
  async upload(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    if (!isTakenByRoute(request)) throw unsupportedMedia(takesFiles.bodies);
    const style = { query: recordedQuery, format: 'json', dates: 'iso' } as const;
    const { answer } = await this.uploads.take(request, () => ({ ...this.attachments.ask(request), ...style }));
    if (answer.warning !== undefined) reply.header('warning', answer.warning);
    await reply.status(200).header('content-type', 'application/json; charset=utf-8').send(spellUpload(answer));
  }
}
