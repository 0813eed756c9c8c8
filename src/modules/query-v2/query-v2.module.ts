/** Reading by the expressions of version 2. */
import { Module } from '@nestjs/common';
import { QueryV2Controller } from './query-v2.controller.js';
import { QueryV2Service } from './query-v2.service.js';

@Module({ controllers: [QueryV2Controller], providers: [QueryV2Service] })
export class QueryV2Module {}
