/** The family of assignables. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { Assignable } from './assignable.entity.js';
import { AssignablesService } from './assignables.service.js';
import { AssignedEffort } from './assigned-effort.entity.js';
import { Assignment } from './assignment.entity.js';
import { AssignmentsService } from './assignments.service.js';
import { Bug } from './bug.entity.js';
import { Epic } from './epic.entity.js';
import { Feature } from './feature.entity.js';
import { Impediment } from './impediment.entity.js';
import { PortfolioEpic } from './portfolio-epic.entity.js';
import { Request } from './request.entity.js';
import { RoleEffort } from './role-effort.entity.js';
import { Task } from './task.entity.js';
import { TeamAssignment } from './team-assignment.entity.js';
import { UserStory } from './user-story.entity.js';

@Module({
  controllers: [
    resourceController(
      AssignablesService,
      Assignable,
      Bug,
      Epic,
      Feature,
      Impediment,
      PortfolioEpic,
      Request,
      Task,
      UserStory,
    ),
    resourceController(AssignmentsService, AssignedEffort, Assignment, RoleEffort, TeamAssignment),
  ],
  providers: [AssignablesService, AssignmentsService],
})
export class AssignablesModule {}
