/** Lists the modules: the edge, the callers, and one module a family of resources. */
import { type DynamicModule, Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { AuthModule } from './auth/auth.module.js';
import type { Config } from './config/config.js';
import { CONFIG } from './config/config.token.js';
import { DatabaseModule } from './database/database.module.js';
import { detectPoolers } from './database/detect-poolers.js';
import { FilesModule } from './files/files.module.js';
import { HealthController } from './http/health.controller.js';
import { HttpModule } from './http/http.module.js';
import { LOGGER } from './http/logger.js';
import { UnknownRouteController } from './http/unknown-route.controller.js';
import { McpModule } from './mcp/mcp.module.js';
import { AccessTokensModule } from './modules/access-tokens/access-tokens.module.js';
import { AssignablesModule } from './modules/assignables/assignables.module.js';
import { AttachmentsModule } from './modules/attachments/attachments.module.js';
import { CommentsModule } from './modules/comments/comments.module.js';
import { ContextModule } from './modules/context/context.module.js';
import { CustomFieldsModule } from './modules/custom-fields/custom-fields.module.js';
import { DeletedItemsModule } from './modules/deleted-items/deleted-items.module.js';
import { GeneralsModule } from './modules/generals/generals.module.js';
import { HistoryModule } from './modules/history/history.module.js';
import { LoginAttemptsModule } from './modules/login-attempts/login-attempts.module.js';
import { MessagesModule } from './modules/messages/messages.module.js';
import { MetadataModule } from './modules/metadata/metadata.module.js';
import { MilestonesModule } from './modules/milestones/milestones.module.js';
import { OpenApiModule } from './modules/openapi/openapi.module.js';
import { ProcessModule } from './modules/process/process.module.js';
import { ProjectsModule } from './modules/projects/projects.module.js';
import { QueryV2Module } from './modules/query-v2/query-v2.module.js';
import { RelationsModule } from './modules/relations/relations.module.js';
import { ReleasesModule } from './modules/releases/releases.module.js';
import { RevisionsModule } from './modules/revisions/revisions.module.js';
import { SearchModule } from './modules/search/search.module.js';
import { SettingsModule } from './modules/settings/settings.module.js';
import { TagsModule } from './modules/tags/tags.module.js';
import { TeamsModule } from './modules/teams/teams.module.js';
import { TestsModule } from './modules/test-plans/tests.module.js';
import { TimesModule } from './modules/times/times.module.js';
import { UsersModule } from './modules/users/users.module.js';
import { WebModule } from './web/web.module.js';

const families = [
  AccessTokensModule,
  AssignablesModule,
  AttachmentsModule,
  CommentsModule,
  ContextModule,
  CustomFieldsModule,
  DeletedItemsModule,
  GeneralsModule,
  HistoryModule,
  LoginAttemptsModule,
  MessagesModule,
  MetadataModule,
  MilestonesModule,
  OpenApiModule,
  ProcessModule,
  ProjectsModule,
  QueryV2Module,
  RelationsModule,
  ReleasesModule,
  RevisionsModule,
  SearchModule,
  SettingsModule,
  TagsModule,
  TeamsModule,
  TestsModule,
  TimesModule,
  UsersModule,
];

@Global()
@Module({})
export class AppModule {
  static with(config: Config, logger: Logger): DynamicModule {
    return {
      module: AppModule,
      // Unknown routes come last in the router whatever their place here: a wildcard matches after everything else.
      imports: [DatabaseModule, FilesModule, HttpModule, AuthModule, ...families, McpModule, WebModule],
      controllers: [HealthController, UnknownRouteController],
      providers: [
        { provide: CONFIG, useFactory: () => detectPoolers(config) },
        { provide: LOGGER, useValue: logger },
      ],
      exports: [CONFIG, LOGGER],
    };
  }
}
