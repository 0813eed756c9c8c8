/** The caller, as a User. */
import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { Item } from '../../http/answer.js';
import type { ApiRequest } from '../../http/request.js';
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
}
