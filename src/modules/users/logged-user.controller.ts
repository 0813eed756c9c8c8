/** The caller, as a User. */
import { Controller, Delete, Get, Inject, Post, Req } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { methodNotAllowed } from '../../errors.js';
import type { Item } from '../../http/answer.js';
import type { ApiRequest } from '../../http/request.js';
import { withoutBody } from '../../http/route-facts.js';
import type { Model, ResourceType } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { UsersService } from './users.service.js';

@Controller('api/v1/Users/LoggedUser')
export class LoggedUserController {
  /** The System user is shown as if it were a User. */
  private readonly caller: ResourceType;

  constructor(
    @Inject(MODEL) model: Model,
    private readonly users: UsersService,
  ) {
    this.caller = model.resource('User').ofKinds(['User', 'SystemUser']);
  }

  @Get()
  loggedUser(@Req() request: ApiRequest): Promise<Item> {
    return this.users.self(this.caller, request);
  }

  /** Elsewhere an id stands here. */
  @Post()
  @RouteConfig(withoutBody)
  post(@Req() { method }: ApiRequest): never {
    throw methodNotAllowed(method, ['GET', 'HEAD']);
  }

  @Delete()
  @RouteConfig(withoutBody)
  delete(@Req() { method }: ApiRequest): never {
    throw methodNotAllowed(method, ['GET', 'HEAD']);
  }
}
