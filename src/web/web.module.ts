/** The pages: what people see who follow a link to an entity. */
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { EntityPageController } from './entity-page.controller.js';
import { EntityReader } from './entity-reader.js';
import { SignInController } from './sign-in.controller.js';
import { SingleSignOnController } from './single-sign-on.controller.js';

@Module({
  imports: [AuthModule],
  controllers: [EntityPageController, SignInController, SingleSignOnController],
  providers: [EntityReader],
})
export class WebModule {}
