/** Whether the process lives, and whether it can serve, with the reasons where it cannot. Neither costs anything. */
import { Controller, Get, HttpCode, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { badRequest } from '../errors.js';
import { OwnQuery } from './own-query.decorator.js';
import { Public } from './public.decorator.js';
import { ReadinessCheck, type Reason, readinessOf } from './readiness.js';
import { type ApiRequest, rawQuery } from './request.js';

@Public()
@Controller('health')
@OwnQuery()
export class HealthController {
  constructor(private readonly check: ReadinessCheck) {}

  @Get('live')
  @HttpCode(200)
  live(@Res() reply: FastifyReply): void {
    answer(reply, true);
  }

  @Get('ready')
  async ready(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const purpose = new URLSearchParams(rawQuery(request)).get('for') ?? 'reads';
    if (purpose !== 'reads' && purpose !== 'writes')
      throw badRequest("The parameter 'for' is reads or writes.", 'InvalidParameter');
    const readiness = readinessOf(await this.check.observe());
    answer(reply, readiness[purpose], readiness.reasons);
  }
}

const answer = (reply: FastifyReply, well: boolean, reasons: readonly Reason[] = []): void =>
  void reply
    .status(well ? 200 : 503)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify({ status: well ? 'ok' : 'unavailable', ...(reasons.length > 0 && { reasons }) }));
