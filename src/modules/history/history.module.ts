/** The family of histories: every kind that is recorded has a short and a full one. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { FullHistory, fullHistories } from './full-history.entities.js';
import { HistoryService } from './history.service.js';
import { SimpleHistory, simpleHistories } from './simple-history.entities.js';

const histories = [SimpleHistory, ...simpleHistories, FullHistory, ...fullHistories];

@Module({
  controllers: [resourceController(HistoryService, ...histories)],
  providers: [HistoryService],
})
export class HistoryModule {}
