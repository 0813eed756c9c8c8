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
import { CommonModule } from './modules/common.module.js';
import { families } from './modules/families.js';
import { WebModule } from './web/web.module.js';

@Global()
@Module({})
export class AppModule {
  static with(config: Config, logger: Logger): DynamicModule {
    return {
      module: AppModule,
      // Unknown routes come last in the router whatever their place here: a wildcard matches after everything else.
      imports: [DatabaseModule, FilesModule, HttpModule, AuthModule, CommonModule, ...families, McpModule, WebModule],
      controllers: [HealthController, UnknownRouteController],
      providers: [
        { provide: CONFIG, useFactory: () => detectPoolers(config) },
        { provide: LOGGER, useValue: logger },
      ],
      exports: [CONFIG, LOGGER],
    };
  }
}
