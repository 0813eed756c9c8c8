/** Who asks: the guard before every route, the strategies it tries, and what they know of users. */
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AccessTokenStrategy } from './access-token.strategy.js';
import { AccessTokens } from './access-tokens.js';
import { Actors } from './actors.js';
import { Admission } from './admission.js';
import { AuthenticationController } from './authentication.controller.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { Authenticator } from './authenticator.js';
import { BasicStrategy } from './basic.strategy.js';
import type { CredentialStrategy } from './credential-strategy.js';
import { LoginController } from './login.controller.js';
import { LoginAttempts } from './login-attempts.js';
import { OwnPassword } from './own-password.js';
import { PasswordCheck } from './password-check.js';
import { Passwords } from './passwords.js';
import { RateLimit } from './rate-limit.js';
import { SameOrigin } from './same-origin.js';
import { ServiceTokenStrategy } from './service-token.strategy.js';
import { SessionStrategy } from './session.strategy.js';
import { Sessions } from './sessions.js';
import { Settings } from './settings.js';
import { SignIn } from './sign-in.js';
import { SingleSignOn } from './single-sign-on.js';

/** One class a kind of credential; what browsers send unasked comes last. */
const strategies = [BasicStrategy, ServiceTokenStrategy, AccessTokenStrategy, SessionStrategy];

@Module({
  controllers: [AuthenticationController, LoginController],
  providers: [
    AccessTokens,
    Actors,
    Admission,
    LoginAttempts,
    OwnPassword,
    PasswordCheck,
    Passwords,
    RateLimit,
    SameOrigin,
    Sessions,
    Settings,
    SignIn,
    SingleSignOn,
    ...strategies,
    {
      provide: Authenticator,
      inject: strategies,
      useFactory: (...made: CredentialStrategy[]) => new Authenticator(made),
    },
    { provide: APP_GUARD, useClass: AuthenticationGuard },
  ],
  exports: [
    Actors,
    Authenticator,
    OwnPassword,
    PasswordCheck,
    Passwords,
    SameOrigin,
    Sessions,
    Settings,
    SignIn,
    SingleSignOn,
  ],
})
export class AuthModule {}
