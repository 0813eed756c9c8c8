/** The family of login attempts. */
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { resourceController } from '../../http/resource.controller.js';
import { LoginAttempt } from './login-attempt.entity.js';
import { LoginAttemptsService } from './login-attempts.service.js';

@Module({
  imports: [AuthModule],
  controllers: [resourceController(LoginAttemptsService, LoginAttempt)],
  providers: [LoginAttemptsService],
})
export class LoginAttemptsModule {}
