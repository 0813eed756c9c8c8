/** The family of releases. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Build } from './build.entity.js';
import { Iteration } from './iteration.entity.js';
import { Release } from './release.entity.js';
import { ReleaseProject } from './release-project.entity.js';
import { ReleasesService } from './releases.service.js';
import { TeamIteration } from './team-iteration.entity.js';

@Module({
  controllers: [resourceController(ReleasesService, Build, Iteration, Release, ReleaseProject, TeamIteration)],
  providers: [ReleasesService],
})
export class ReleasesModule {}
