/** Gives a handler the caller. */
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Actor } from '../actor.js';
import type { ApiRequest } from '../http/request.js';

export const CurrentActor = createParamDecorator(
  (_: unknown, context: ExecutionContext): Actor => context.switchToHttp().getRequest<ApiRequest>().actor,
);
