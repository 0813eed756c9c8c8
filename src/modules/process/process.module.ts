/** The family of process. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { EntityState } from './entity-state.entity.js';
import { EntityType } from './entity-type.entity.js';
import { Practice } from './practice.entity.js';
import { Priority } from './priority.entity.js';
import { Process } from './process.entity.js';
import { ProcessService } from './process.service.js';
import { RequestType } from './request-type.entity.js';
import { Severity } from './severity.entity.js';
import { Term } from './term.entity.js';
import { Workflow } from './workflow.entity.js';

@Module({
  controllers: [
    resourceController(EntityState, ProcessService),
    resourceController(EntityType, ProcessService),
    resourceController(Practice, ProcessService),
    resourceController(Priority, ProcessService),
    resourceController(Process, ProcessService),
    resourceController(RequestType, ProcessService),
    resourceController(Severity, ProcessService),
    resourceController(Term, ProcessService),
    resourceController(Workflow, ProcessService),
  ],
  providers: [ProcessService],
})
export class ProcessModule {}
