/** `POST /api/v1/Users/LoggedUser/Password`: a new password for oneself, by whoever knows the present one. */
import { Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { OwnPassword } from '../../auth/own-password.js';
import { textsOf } from '../../http/bodies.js';
import { Document } from '../../http/document.js';
import type { ApiRequest } from '../../http/request.js';
import { type RouteFacts, textsOrForm } from '../../http/route-facts.js';

@Controller('api/v1/Users/LoggedUser/Password')
export class OwnPasswordController {
  constructor(private readonly passwords: OwnPassword) {}

  /** Ends every session but the caller's own, which is given a new id, and the service token. */
  @Post()
  @HttpCode(200)
  @RouteConfig({ bodies: textsOrForm } satisfies RouteFacts)
  async change(@Req() request: ApiRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Document> {
    const passwords = await textsOf('Password', ['CurrentPassword', 'NewPassword'], request);
    await this.passwords.change(passwords, request, reply);
    return new Document('Password', { Status: 'Changed' });
  }
}
