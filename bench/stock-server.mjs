/**
 * The stock way: a Nest controller that asks TypeORM for entities with their relations and lets the framework spell them - XML
 * with xml2js. Without checks, pages, links or visibility; what it answers is close to the service's answers, not the same.
 */
import 'reflect-metadata';
import { Controller, Get, Header, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import xml2js from 'xml2js';
import { entities, storyRelations } from './stock/entities.mjs';

const { STOCK_DATABASE_URL: url, STOCK_POOL: poolSize } = process.env;
const source = await new DataSource({ type: 'postgres', url, poolSize: Number(poolSize), entities }).initialize();
const stories = source.getRepository('Story');
const builder = new xml2js.Builder({ rootName: 'UserStories' });

const page = { order: { id: 'DESC' }, take: 25 };
const kind = { kind: 4 };

class StockController {
  list(project) {
    return stories.find({
      ...page,
      where: { ...kind, project: { id: Number(project) }, entityState: { name: 'In Progress' } },
      select: {
        id: true,
        name: true,
        effort: true,
        project: { id: true, name: true },
        entityState: { id: true, name: true },
        tasks: { id: true, name: true, effort: true },
        bugs: { id: true },
        assignments: {
          id: true,
          role: { id: true, name: true },
          generalUser: { id: true, firstName: true, lastName: true },
        },
      },
      relations: {
        project: true,
        entityState: true,
        tasks: true,
        bugs: true,
        assignments: { role: true, generalUser: true },
      },
    });
  }

  async listXml(project) {
    return builder.buildObject({ UserStory: await this.list(project) });
  }

  defaults() {
    return stories.find({ ...page, where: kind, relations: storyRelations });
  }

  one(id) {
    return stories.findOne({ where: { ...kind, id: Number(id) }, relations: storyRelations });
  }
}

/** What `@Get(path)` does where there is a compiler. */
function route(method, path, parameter) {
  const { prototype } = StockController;
  if (parameter) Param(parameter)(prototype, method, 0);
  Get(path)(prototype, method, Object.getOwnPropertyDescriptor(prototype, method));
}
route('list', 'list/:project', 'project');
route('listXml', 'list-xml/:project', 'project');
Header('Content-Type', 'application/xml')(
  StockController.prototype,
  'listXml',
  Object.getOwnPropertyDescriptor(StockController.prototype, 'listXml'),
);
route('defaults', 'default-list');
route('one', 'one/:id', 'id');
Controller()(StockController);

class StockModule {}
Module({ controllers: [StockController] })(StockModule);

const app = await NestFactory.create(StockModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
process.stdout.write(`The stock server listens on http://127.0.0.1:${app.getHttpServer().address().port}\n`);
process.on('SIGTERM', () => process.exit());
