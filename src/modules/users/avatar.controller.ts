/**
 * `/avatar.ashx?UserID=`: the picture of a user, or one that stands for it, shown to everybody who may call, and set
 * by the user or an administrator.
 */
import { Controller, Delete, Get, HttpCode, Inject, Post, Req, Res } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import { notFound, onlyAdministrators, unsupportedMedia } from '../../errors.js';
import { addressValue } from '../../files/address-value.js';
import { Downloads } from '../../files/downloads.js';
import type { Item } from '../../http/answer.js';
import { isTakenByRoute } from '../../http/body-parsers.js';
import { isFresh } from '../../http/preconditions.js';
import type { ApiRequest } from '../../http/request.js';
import { idOf } from '../../http/resource.service.js';
import { takesFiles } from '../../http/route-facts.js';
import type { Model } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { Avatars } from './avatars.js';
import { noPicture } from './no-picture.js';
import { UsersService } from './users.service.js';

@Controller('avatar.ashx')
export class AvatarController {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly users: UsersService,
    private readonly avatars: Avatars,
    private readonly downloads: Downloads,
  ) {}

  @Get()
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    const userId = userOf(request);
    await this.users.mustExist(this.model.resource('GeneralUser'), userId, request);
    const key = await this.avatars.keyOf(userId, request);
    const headers = { etag: key === undefined ? noPicture.etag : `"${key}"`, 'cache-control': 'private, no-cache' };
    if (isFresh(request, headers.etag)) {
      await reply.status(304).headers(headers).send();
      return;
    }
    if (key !== undefined) this.downloads.enter(request, reply);
    const { type, bytes } = key === undefined ? noPicture : await this.avatars.read(userId, key);
    const safe = { 'content-type': type, 'content-security-policy': "default-src 'none'; sandbox" };
    await reply.headers({ ...headers, ...safe }).send(bytes);
  }

  @Post()
  @HttpCode(200)
  @RouteConfig(takesFiles)
  async replace(@Req() request: ApiRequest): Promise<Item> {
    const userId = await this.ownedUser(request);
    if (!isTakenByRoute(request)) throw unsupportedMedia(takesFiles.bodies);
    return this.avatars.replace(userId, request, async () => {
      // What the caller may do can have changed meanwhile.
      await this.ownedUser(request);
      return this.users.ask(request);
    });
  }

  @Delete()
  async remove(@Req() request: ApiRequest): Promise<Item> {
    const userId = await this.ownedUser(request);
    return this.avatars.remove(userId, request, this.users.ask(request));
  }

  /** Errors: 403, 404. */
  private async ownedUser(request: ApiRequest): Promise<number> {
    const userId = userOf(request);
    const { actor } = request;
    if (!actor.isAdministrator && actor.userId !== userId) throw onlyAdministrators('change the pictures of others');
    await this.users.mustExist(this.model.resource('GeneralUser'), userId, request);
    return userId;
  }
}

/** Oneself by default. */
function userOf(request: ApiRequest): number {
  const sent = addressValue(request, 'UserID');
  return sent === '' ? request.actor.userId : idOf(sent, (text) => notFound('GeneralUser', text));
}
