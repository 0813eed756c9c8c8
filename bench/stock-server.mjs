/**
 * The stock way: a Nest controller that asks TypeORM for entities with their relations and lets the framework spell
 * them - XML with xml2js. Without checks, pages, links or visibility; what it answers is close to the service's
 * answers, not the same.
 */
import 'reflect-metadata';
import { Body, Controller, Get, Header, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { DataSource } from 'typeorm';
import xml2js from 'xml2js';
import { readFacts } from './limit/facts.mjs';
import { entities, storyRelations } from './stock/entities.mjs';

const { STOCK_DATABASE_URL: url, STOCK_POOL: poolSize, STOCK_SCHEMA: schema } = process.env;
const extra = { options: `-c search_path=${schema},public` };
const source = await new DataSource({
  type: 'postgres',
  url,
  poolSize: Number(poolSize),
  entities,
  extra,
  parseInt8: true,
}).initialize();
const facts = await readFacts({ query: async (text, values) => ({ rows: await source.query(text, values) }) });
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

  async create({ Name: name, Project, Assignments, RoleEfforts: [sent] }) {
    const now = new Date();
    const partOf = (id) => (id === sent.Role.Id ? sent.Effort : 0);
    const { id } = await stories.save({
      ...kind,
      ...{
        name,
        createDate: now,
        modifyDate: now,
        lastStateChangeDate: now,
        effort: sent.Effort,
        effortToDo: sent.Effort,
      },
      ...{ project: { id: Project.Id }, entityState: { id: facts.state }, priority: { id: facts.priority } },
      ...{ owner: { id: 1 }, lastEditor: { id: 1 } },
      assignments: Assignments.map(({ GeneralUser, Role }) => ({
        generalUser: { id: GeneralUser.Id },
        role: { id: Role.Id },
      })),
      roleEfforts: facts.roles.map((role) => ({
        ...{ role: { id: role }, ownEffort: partOf(role), effort: partOf(role), effortToDo: partOf(role) },
      })),
    });
    return { id };
  }
}

/** What `@Get(path)` does where there is a compiler. */
function route(method, path, parameter, verb = Get) {
  const { prototype } = StockController;
  if (parameter) parameter(prototype, method, 0);
  verb(path)(prototype, method, Object.getOwnPropertyDescriptor(prototype, method));
}
route('list', 'list/:project', Param('project'));
route('listXml', 'list-xml/:project', Param('project'));
Header('Content-Type', 'application/xml')(
  StockController.prototype,
  'listXml',
  Object.getOwnPropertyDescriptor(StockController.prototype, 'listXml'),
);
route('defaults', 'default-list');
route('one', 'one/:id', Param('id'));
route('create', 'create', Body(), Post);
Controller()(StockController);

class StockModule {}
Module({ controllers: [StockController] })(StockModule);

const app = await NestFactory.create(StockModule, new FastifyAdapter(), { logger: false });
await app.listen(0, '127.0.0.1');
process.stdout.write(`The stock server listens on http://127.0.0.1:${app.getHttpServer().address().port}\n`);
process.on('SIGTERM', () => process.exit());
