/** The family of access tokens. */
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { resourceController } from '../../http/resource.controller.js';
import { AccessToken } from './access-token.entity.js';
import { AccessTokensService } from './access-tokens.service.js';

@Module({
  imports: [AuthModule],
  controllers: [resourceController(AccessTokensService, AccessToken)],
  providers: [AccessTokensService],
})
export class AccessTokensModule {}
