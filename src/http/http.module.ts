/** The edge: pipelines, interceptors and the error filter that all families share. */
import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.token.js';
import { StatementCache } from '../query/compile/statement-cache.js';
import { AnswerRoom, usualAnswerBounds } from './answer-room.js';
import { BackgroundWork } from './background-work.js';
import { BaseAddress } from './base-address.js';
import { BodyRoom, usualBounds } from './body-room.js';
import { BodyTurns, usualTurnBounds } from './body-turns.js';
import { Contexts } from './contexts.js';
import { Draining } from './draining.js';
import { ErrorFilter } from './error.filter.js';
import { Families } from './families.js';
import { CUSTOM_FIELDS, type CustomFields } from './family-tokens.js';
import { FormatInterceptor } from './format.interceptor.js';
import { FreshConfiguration } from './fresh-configuration.js';
import { Lookups } from './lookups.js';
import { LoopTurns } from './loop-turns.js';
import { OpenFilesLog } from './open-files-log.js';
import { PagingLinksInterceptor } from './paging-links.interceptor.js';
import { PartialResponseInterceptor } from './partial-response.interceptor.js';
import { ReadinessCheck } from './readiness.js';
import { Reads } from './reads.js';
import { Refusals } from './refusals.js';
import { RequestReads } from './request-reads.js';
import { Saves } from './saves.js';
import { ServedNames } from './served-names.js';
import { SharedInterceptors } from './shared-interceptors.js';
import { WritePositions } from './write-positions.js';
import { WriteTransactions } from './write-transactions.js';
import { Writes } from './writes.js';

@Global()
@Module({
  providers: [
    {
      provide: AnswerRoom,
      inject: [CONFIG],
      useFactory: ({ answerBytes, bufferedAnswerBytes }: Config) =>
        new AnswerRoom({ ...usualAnswerBounds, answer: answerBytes, bytes: bufferedAnswerBytes }),
    },
    {
      provide: BodyRoom,
      inject: [CONFIG],
      useFactory: ({ bufferedBodiesMb }: Config) => new BodyRoom({ ...usualBounds, bytes: bufferedBodiesMb * 2 ** 20 }),
    },
    { provide: BodyTurns, useFactory: () => new BodyTurns(usualTurnBounds) },
    {
      provide: StatementCache,
      inject: [CUSTOM_FIELDS],
      useFactory: (definitions: CustomFields) => new StatementCache(definitions),
    },
    BaseAddress,
    Refusals,
    BackgroundWork,
    Contexts,
    Draining,
    Families,
    FreshConfiguration,
    Lookups,
    LoopTurns,
    OpenFilesLog,
    ReadinessCheck,
    Reads,
    RequestReads,
    Saves,
    ServedNames,
    WritePositions,
    WriteTransactions,
    Writes,
    { provide: APP_FILTER, useClass: ErrorFilter },
    FormatInterceptor,
    PagingLinksInterceptor,
    PartialResponseInterceptor,
    { provide: APP_INTERCEPTOR, useClass: SharedInterceptors },
  ],
  exports: [
    BaseAddress,
    Contexts,
    Draining,
    Families,
    FreshConfiguration,
    LoopTurns,
    ReadinessCheck,
    Reads,
    RequestReads,
    Refusals,
    ServedNames,
    StatementCache,
    WritePositions,
    Writes,
  ],
})
export class HttpModule {}
