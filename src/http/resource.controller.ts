/** The common routes of a resource, written once: the factory gives a controller class that a family may extend. */
import { Controller, Delete, Get, Inject, Param, Post, Req, Res, type Type } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { EntityClass } from '../model/build-model.js';
import { resourceOf } from '../model/declarations.js';
import type { Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import type { Batch, Deleted, Item, Page } from './answer.js';
import { Families } from './families.js';
import type { ApiRequest } from './request.js';
import type { ResourceService } from './resource.service.js';
import type { Saved } from './writes.js';

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
      @Inject(Families) families: Families,
    ) {
      this.resource = model.resource(declared!.name);
      families.register(this.resource, service);
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
    create(@Req() request: ApiRequest, @Res({ passthrough: true }) reply: FastifyReply): Promise<Item | Batch> {
      return answered(this.service.save(this.resource, undefined, request), reply);
    }

    // In place of an id stands `bulk` for all that the body lists: a route of its own costs each start some time.
    @Post(':id')
    update(
      @Param('id') id: string,
      @Req() request: ApiRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Item | Batch> {
      const { service, resource } = this;
      return answered(isBulk(id) ? service.saveAll(resource, request) : service.save(resource, id, request), reply);
    }

    @Post(':id/:collection')
    add(
      @Param('id') id: string,
      @Param('collection') collection: string,
      @Req() request: ApiRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Item | Batch> {
      return answered(this.service.saveInner(this.resource, id, collection, request), reply);
    }

    @Delete(':id')
    delete(@Param('id') id: string, @Req() request: ApiRequest): Promise<Deleted> {
      const { service, resource } = this;
      return isBulk(id) ? service.deleteAll(resource, request) : service.delete(resource, id, request);
    }

    @Delete(':id/:collection')
    deleteSeveral(
      @Param('id') id: string,
      @Param('collection') collection: string,
      @Req() request: ApiRequest,
    ): Promise<Deleted> {
      return this.service.deleteInner(this.resource, id, collection, undefined, request);
    }

    @Delete(':id/:collection/:child')
    deleteOne(
      @Param('id') id: string,
      @Param('collection') collection: string,
      @Param('child') child: string,
      @Req() request: ApiRequest,
    ): Promise<Deleted> {
      return this.service.deleteInner(this.resource, id, collection, child, request);
    }
  }
  Object.defineProperty(CommonController, 'name', { value: `${declared.collection}Controller` });
  return CommonController;
}

const isBulk = (id: string): boolean => id.toLowerCase() === 'bulk';

async function answered(saving: Promise<Saved>, reply: FastifyReply): Promise<Item | Batch> {
  const { created, answer } = await saving;
  reply.status(created ? 201 : 200);
  return answer;
}
