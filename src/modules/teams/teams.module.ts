/** The family of teams. */
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { resourceController } from '../../http/resource.controller.js';
import { Team } from './team.entity.js';
import { TeamMember } from './team-member.entity.js';
import { TeamProject } from './team-project.entity.js';
import { TeamProjectAllocation } from './team-project-allocation.entity.js';
import { TeamsService } from './teams.service.js';

@Module({
  imports: [AuthModule],
  controllers: [resourceController(TeamsService, Team, TeamMember, TeamProject, TeamProjectAllocation)],
  providers: [TeamsService],
})
export class TeamsModule {}
