/**
 * The pages: what people see who come with a browser. A new page is a controller in this list and an entry in
 * `navigation.ts`.
 */
import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OpenApiModule } from '../modules/openapi/openapi.module.js';
import { AdministrationController } from './administration.controller.js';
import { ApiDocsController } from './api-docs.controller.js';
import { AssetsController } from './assets.controller.js';
import { DocumentationController } from './documentation.controller.js';
import { EntityPageController } from './entity-page.controller.js';
import { EntityReader } from './entity-reader.js';
import { LandingPageController } from './landing-page.controller.js';
import { ProfilePageController } from './profile-page.controller.js';
import { ProfileReader } from './profile-reader.js';
import { QueryPageController } from './query-page.controller.js';
import { SignInController } from './sign-in.controller.js';
import { SingleSignOnController } from './single-sign-on.controller.js';
import { Sites } from './sites.js';
import { Viewers } from './viewers.js';

@Module({
  imports: [AuthModule, OpenApiModule],
  controllers: [
    ApiDocsController,
    AssetsController,
    LandingPageController,
    QueryPageController,
    DocumentationController,
    EntityPageController,
    ProfilePageController,
    AdministrationController,
    SignInController,
    SingleSignOnController,
  ],
  providers: [EntityReader, ProfileReader, Sites, Viewers],
})
export class WebModule {}
