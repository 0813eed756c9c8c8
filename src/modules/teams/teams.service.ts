/** Rules of teams, their members and the projects they work on. Who belongs to a team sees what it works on. */
import { Inject, Injectable } from '@nestjs/common';
import { Actors } from '../../auth/actors.js';
import type { Change, Removal, Restoral, Work } from '../../command/change.js';
import { GeneralsService } from '../generals/generals.service.js';
import { memberRemovals, memberRules } from '../projects/member-rules.js';
import { checkWorkflows, dropAllocations, leaveItems, leaveWorkflows, refuseOthers } from './team-rules.js';

@Injectable()
export class TeamsService extends GeneralsService {
  @Inject(Actors) private readonly actors!: Actors;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    if (isTeam(changes)) {
      refuseOthers(changes, work);
      return super.beforeSave(changes, work);
    }
    memberRules(changes, work);
    await checkWorkflows(changes, work);
  }

  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    await super.afterSave(changes, work);
    leaveWorkflows(changes, work);
    if (!isTeam(changes)) work.afterCommit(() => this.actors.forget());
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    await super.beforeDelete(removals, work);
    if (isTeam(removals)) return leaveItems(removals, work, this.model.resource('TeamAssignment'));
    memberRemovals(removals, work);
    if (removals[0]!.resource.name === 'TeamProject') await dropAllocations(removals, work);
  }

  override async afterDelete(removals: readonly Removal[], work: Work): Promise<void> {
    await super.afterDelete(removals, work);
    work.afterCommit(() => this.actors.forget());
  }

  /** Its members and projects are those it had; what it worked on went on without it. */
  override async afterRestore(restorals: readonly Restoral[], work: Work): Promise<void> {
    await super.afterRestore(restorals, work);
    work.afterCommit(() => this.actors.forget());
  }
}

const isTeam = ([first]: readonly (Change | Removal)[]): boolean => first!.resource.name === 'Team';
