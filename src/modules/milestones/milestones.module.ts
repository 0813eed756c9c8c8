/** The family of milestones. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Milestone } from './milestone.entity.js';
import { MilestoneProject } from './milestone-project.entity.js';
import { MilestonesService } from './milestones.service.js';

@Module({
  controllers: [resourceController(MilestonesService, Milestone, MilestoneProject)],
  providers: [MilestonesService],
})
export class MilestonesModule {}
