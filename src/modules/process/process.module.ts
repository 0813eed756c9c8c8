/** The family of process. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { CustomRule } from './custom-rule.entity.js';
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
    resourceController(
      ProcessService,
      CustomRule,
      EntityState,
      EntityType,
      Practice,
      Priority,
      Process,
      RequestType,
      Severity,
      Term,
      Workflow,
    ),
  ],
  providers: [ProcessService],
})
export class ProcessModule {}
