/** The caller, as a User. */
import { Controller, Get, Inject, Req } from '@nestjs/common';
import type { Item } from '../../http/answer.js';
import type { ApiRequest } from '../../http/request.js';
import type { Model } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { UsersService } from './users.service.js';

@Controller('api/v1/Users/LoggedUser')
export class LoggedUserController {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly users: UsersService,
  ) {}

  /** The System user is no User and is shown as what it is. */
  @Get()
  loggedUser(@Req() request: ApiRequest): Promise<Item> {
    return this.users.self(this.model.resource('User'), this.model.resource('GeneralUser'), request);
  }
}
