/** Who asks: the guard before every route, the strategies it tries, and what they know of users. */
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Actors } from './actors.js';
import { AuthenticationController } from './authentication.controller.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { Authenticator } from './authenticator.js';
import { BasicStrategy } from './basic.strategy.js';
import type { CredentialStrategy } from './credential-strategy.js';
import { Passwords } from './passwords.js';
import { ServiceTokenStrategy } from './service-token.strategy.js';

/** One class a kind of credential. */
const strategies = [BasicStrategy, ServiceTokenStrategy];

@Module({
  controllers: [AuthenticationController],
  providers: [
    Actors,
    Passwords,
    ...strategies,
    {
      provide: Authenticator,
      inject: strategies,
      useFactory: (...made: CredentialStrategy[]) => new Authenticator(made),
    },
    { provide: APP_GUARD, useClass: AuthenticationGuard },
  ],
  exports: [Actors, Authenticator, Passwords],
})
export class AuthModule {}
