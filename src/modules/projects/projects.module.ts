/** The family of projects. */
import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/auth.module.js';
import { resourceController } from '../../http/resource.controller.js';
import { Company } from './company.entity.js';
import { Program } from './program.entity.js';
import { Project } from './project.entity.js';
import { ProjectMember } from './project-member.entity.js';
import { ProjectsService } from './projects.service.js';

@Module({
  imports: [AuthModule],
  controllers: [resourceController(ProjectsService, Company, Program, Project, ProjectMember)],
  providers: [ProjectsService],
})
export class ProjectsModule {}
