/** `POST /api/login/validate`: checks a login and a password, without opening a session. */
import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { unauthorized } from '../errors.js';
import { textsOf } from '../http/bodies.js';
import { clientOf } from '../http/client-address.js';
import { Document } from '../http/document.js';
import { Public } from '../http/public.decorator.js';
import type { ApiRequest } from '../http/request.js';
import { openBody, textsOrForm } from '../http/route-facts.js';
import { BasicStrategy } from './basic.strategy.js';

/** A login and a password, whose characters may all be escaped. */
const bodyBytes = 16 * 1024;

@Controller('api/login/validate')
export class LoginController {
  constructor(private readonly basic: BasicStrategy) {}

  /** Errors: 401, 429 for a locked login, 503. */
  @Public()
  @Post()
  @HttpCode(200)
  @RouteConfig(openBody(bodyBytes, textsOrForm))
  async validate(@Req() request: ApiRequest): Promise<Document> {
    const { Username: login, Password: password } = await textsOf('Login', ['Username', 'Password'], request);
    if (!(await this.basic.validate({ login, password }, clientOf(request)))) throw unauthorized();
    return new Document('Login', { isValid: true });
  }
}
