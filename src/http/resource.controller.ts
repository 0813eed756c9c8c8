/** The common routes of a resource, written once: the factory gives a controller class that a family may extend. */
import { Controller, Get, Inject, Param, Post, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { EntityClass } from '../model/build-model.js';
import { resourceOf } from '../model/declarations.js';
import type { Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import type { Item, Page } from './answer.js';
import type { ApiRequest } from './request.js';
import type { ResourceService } from './resource.service.js';

export interface ResourceController {
  readonly service: ResourceService;
  readonly resource: ResourceType;
}

export function resourceController(entity: unknown, serviceType: Type<ResourceService>): Type<ResourceController> {
  const declared = resourceOf(entity as EntityClass);
  if (!declared) throw new Error('a controller needs an entity with @Resource');

  @Controller(`api/v1/${declared.collection}`)
  class CommonController implements ResourceController {
    readonly resource: ResourceType;

    constructor(
      @Inject(serviceType) readonly service: ResourceService,
      @Inject(MODEL) model: Model,
    ) {
      this.resource = model.resource(declared!.name);
    }

    @Get()
    list(@Req() request: ApiRequest): Promise<Page> {
      return this.service.page(this.resource, request);
    }

    @Get(':id')
    one(@Param('id') id: string, @Req() request: ApiRequest): Promise<Item> {
      return this.service.one(this.resource, id, request);
    }

    @Get(':id/:collection')
    inner(@Param('id') id: string, @Param('collection') collection: string, @Req() request: ApiRequest): Promise<Page> {
      return this.service.inner(this.resource, id, collection, request);
    }

    @Post()
    create(@Req() request: ApiRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Item> {
      return this.save(undefined, request, reply);
    }

    @Post(':id')
    update(
      @Param('id') id: string,
      @Req() request: ApiRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Item> {
      return this.save(id, request, reply);
    }

    private async save(id: string | undefined, request: ApiRequest, reply: FastifyReply): Promise<Item> {
      const { created, item } = await this.service.save(this.resource, id, request);
      reply.status(created ? 201 : 200);
      return item;
    }
  }
  Object.defineProperty(CommonController, 'name', { value: `${declared.collection}Controller` });
  return CommonController;
}
