/**
 * The routes that all resources share, written once: the factory gives a family a controller for the resources that one
 * service of it answers for. The first segment says which of them; routes for each apart would be some seven hundred,
 * which take a fifth of the time of a start.
 */
import { Controller, Delete, Get, Inject, Param, Post, Req, Res, type Type } from '@nestjs/common';
import { MODULE_METADATA } from '@nestjs/common/constants.js';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply } from 'fastify';
import type { EntityClass } from '../model/build-model.js';
import { resourceOf } from '../model/declarations.js';
import type { Model, ResourceType } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import type { Batch, Deleted, Item, Page, Saved } from './answer.js';
import { Families } from './families.js';
import { ofFamily } from './family-routes.js';
import type { ApiRequest } from './request.js';
import type { ResourceService } from './resource.service.js';
import type { RouteFacts } from './route-facts.js';

export interface ResourceController {
  readonly service: ResourceService;
}

export function resourceController(
  serviceType: Type<ResourceService>,
  ...entities: unknown[]
): Type<ResourceController> {
  const declared = entities.map((entity) => {
    const declared = resourceOf(entity as EntityClass);
    if (!declared) throw new Error('a controller needs entities with @Resource');
    return declared;
  });

  @Controller('api/v1/:resource')
  class CommonController implements ResourceController {
    private readonly resources = new Map<string, ResourceType>();

    constructor(
      @Inject(serviceType) readonly service: ResourceService,
      @Inject(MODEL) model: Model,
      @Inject(Families) families: Families,
    ) {
      for (const { name, collection } of declared) {
        const resource = model.resource(name);
        this.resources.set(collection, resource);
        families.register(resource, service);
      }
    }

    private named(name: string): ResourceType {
      return this.resources.get(name)!;
    }

    @Get()
    list(@Param('resource') resource: string, @Req() request: ApiRequest): Promise<Page> {
      return this.service.page(this.named(resource), request);
    }

    @Get(':id')
    one(@Param() { resource, id }: Path, @Req() request: ApiRequest): Promise<Item> {
      return this.service.one(this.named(resource), id, request);
    }

    @Get(':id/:collection')
    inner(@Param() { resource, id, collection }: Path, @Req() request: ApiRequest): Promise<Page> {
      return this.service.inner(this.named(resource), id, collection, request);
    }

    @Post()
    @RouteConfig(ofOneEntity)
    create(
      @Param('resource') resource: string,
      @Req() request: ApiRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Item | Batch> {
      return answered(this.service.save(this.named(resource), undefined, request), reply);
    }

    // In place of an id stands `bulk` for all that the body lists: a route of its own costs each start some time.
    @Post(':id')
    @RouteConfig(ofOneEntity)
    update(
      @Param() { resource: name, id }: Path,
      @Req() request: ApiRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Item | Batch> {
      const { service } = this;
      const resource = this.named(name);
      return answered(isBulk(id) ? service.saveAll(resource, request) : service.save(resource, id, request), reply);
    }

    @Post(':id/:collection')
    @RouteConfig(ofOneEntity)
    add(
      @Param() { resource, id, collection }: Path,
      @Req() request: ApiRequest,
      @Res({ passthrough: true }) reply: FastifyReply,
    ): Promise<Item | Batch> {
      return answered(this.service.saveInner(this.named(resource), id, collection, request), reply);
    }

    @Delete(':id')
    delete(@Param() { resource: name, id }: Path, @Req() request: ApiRequest): Promise<Deleted> {
      const { service } = this;
      const resource = this.named(name);
      return isBulk(id) ? service.deleteAll(resource, request) : service.delete(resource, id, request);
    }

    @Delete([':id/:collection', ':id/:collection/:child'])
    deleteInner(@Param() { resource, id, collection, child }: Path, @Req() request: ApiRequest): Promise<Deleted> {
      return this.service.deleteInner(this.named(resource), id, collection, child, request);
    }
  }
  const family = serviceType.name.replace(/Service$/, '');
  Object.defineProperty(CommonController, 'name', { value: `${family}Controller` });
  ofFamily(CommonController, family, declared);
  entitiesOf.set(CommonController, entities as EntityClass[]);
  return CommonController;
}

const entitiesOf = new WeakMap<Type, readonly EntityClass[]>();

/** The entities that controllers of a module serve. */
export function servedBy(module: Type): EntityClass[] {
  const controllers: Type[] = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, module) ?? [];
  return controllers.flatMap((controller) => entitiesOf.get(controller) ?? []);
}

/** The segments of the longest path. */
interface Path {
  resource: string;
  id: string;
  collection: string;
  child?: string;
}

const isBulk = (id: string): boolean => id.toLowerCase() === 'bulk';

/** What writes or deletes many says what it sends. */
const ofOneEntity: RouteFacts = { takesUntyped: ({ id = '' }) => !isBulk(id) };

async function answered(saving: Promise<Saved>, reply: FastifyReply): Promise<Item | Batch> {
  const { created, answer } = await saving;
  reply.status(created ? 201 : 200);
  return answer;
}
