/** The family of projects. */
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { resourceController } from '../../http/resource.controller.js';
import { Company } from './company.entity.js';
import { Program } from './program.entity.js';
import { Project } from './project.entity.js';
import { ProjectAllocation } from './project-allocation.entity.js';
import { ProjectMember } from './project-member.entity.js';
import { ProjectsService } from './projects.service.js';
import { UserProjectAllocation } from './user-project-allocation.entity.js';

@Module({
  imports: [AuthModule],
  controllers: [
    resourceController(
      ProjectsService,
      Company,
      Program,
      Project,
      ProjectAllocation,
      ProjectMember,
      UserProjectAllocation,
    ),
  ],
  providers: [ProjectsService],
})
export class ProjectsModule {}
