/** `GET /api/openapi.json`: what the API can do, for programs. Whoever may call may read it. */
import { Controller, Get, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { jsonFormat } from '../../http/format.js';
import { OwnQuery } from '../../http/own-query.decorator.js';
import { isFresh } from '../../http/preconditions.js';
import type { ApiRequest } from '../../http/request.js';
import { OpenApiService } from './openapi.service.js';

@OwnQuery()
@Controller('api/openapi.json')
export class OpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get()
  async document(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const { bytes, tag } = await this.openApi.made();
    reply.header('etag', tag).header('cache-control', 'private, no-cache');
    if (isFresh(request, tag)) await reply.status(304).send();
    else await reply.header('content-type', jsonFormat.contentType).send(bytes);
  }
}
