/** The pages: what people see who follow a link to an entity. */
import { Module } from '@nestjs/common';
import { EntityPageController } from './entity-page.controller.js';
import { EntityReader } from './entity-reader.js';

@Module({ controllers: [EntityPageController], providers: [EntityReader] })
export class WebModule {}
