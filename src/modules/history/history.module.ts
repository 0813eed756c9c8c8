/** The family of histories: every kind that is recorded has a short and a full one. */
import { Module } from '@nestjs/common';
import { resourceController, servedBy } from '../../http/resource.controller.js';
import { AssignablesModule } from '../assignables/assignables.module.js';
import { FullHistory, fullHistoryOf } from './full-history.entities.js';
import { historicKindsOf } from './historic-kind.js';
import { HistoryService } from './history.service.js';
import { SimpleHistory, simpleHistoryOf } from './simple-history.entities.js';

const kinds = historicKindsOf(servedBy(AssignablesModule));
const histories = [SimpleHistory, ...kinds.map(simpleHistoryOf), FullHistory, ...kinds.map(fullHistoryOf)];

@Module({
  controllers: [resourceController(HistoryService, ...histories)],
  providers: [HistoryService],
})
export class HistoryModule {}
