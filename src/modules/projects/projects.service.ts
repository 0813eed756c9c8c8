/**
 * Rules of projects: their process, state and abbreviation; who is a member in which role; what goes with a project.
 */
import { Inject, Injectable } from '@nestjs/common';
import { Actors } from '../../auth/actors.js';
import {
  byDefault,
  type Change,
  type Removal,
  type Restoral,
  refersTo,
  refuse,
  type Work,
} from '../../command/change.js';
import { hierarchyOf } from '../../command/hierarchy.js';
import { GeneralsService } from '../generals/generals.service.js';
import { refuseUsed } from '../process/in-use-rules.js';
import { workflowRules } from '../process/workflow-rules.js';
import { leaveWorkflows } from '../teams/team-rules.js';
import { recount, type Source } from '../test-plans/run-count-rules.js';
import { abbreviation } from './abbreviation.js';
import { memberRemovals, memberRules } from './member-rules.js';

/** Resources whose rows decide who sees what. */
const seen = new Set(['Project', 'ProjectMember']);

@Injectable()
export class ProjectsService extends GeneralsService {
  @Inject(Actors) private readonly actors!: Actors;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    await super.beforeSave(changes, work);
    const kind = changes[0]!.resource.name;
    if (kind === 'Project') await this.projects(changes, work);
    if (kind === 'ProjectMember') memberRules(changes, work);
  }

  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    await super.afterSave(changes, work);
    leaveWorkflows(changes, work);
    if (seen.has(changes[0]!.resource.name)) work.afterCommit(() => this.actors.forget());
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    await super.beforeDelete(removals, work);
    const kind = removals[0]!.resource.name;
    if (kind === 'ProjectMember') memberRemovals(removals, work);
    if (kind === 'Company') await refuseUsed(removals, work);
  }

  /** A project hides what it holds, and brings it back when it is restored. */
  override async afterDelete(removals: readonly Removal[], work: Work): Promise<void> {
    await super.afterDelete(removals, work);
    if (seen.has(removals[0]!.resource.name)) work.afterCommit(() => this.actors.forget());
    const projects = removals.filter(({ resource }) => resource.name === 'Project').map(({ id }) => id);
    if (projects.length === 0) return;
    await work.rows(
      `update general set delete_date = $2, modify_date = $2, last_editor_id = $3, deleted_with_id = project_id
       where project_id = any($1::bigint[]) and entity_type_id <> 1 and entity_type_id <> all($4::int[])
         and delete_date is null`,
      [projects, work.now(), work.actor.userId, hierarchyOf(this.model).besideProjects],
    );
    // Runs of other projects, above those that went, count without them.
    const above = await work.rows<Source>(
      `select distinct a.id as run from general r join general a on a.id = r.parent_test_plan_run_id
       where r.deleted_with_id = any($1::bigint[]) and r.entity_type_id = 14 and a.delete_date is null`,
      [projects],
    );
    await recount(above, work);
  }

  override async afterRestore(restorals: readonly Restoral[], work: Work): Promise<void> {
    await super.afterRestore(restorals, work);
    if (seen.has(restorals[0]!.resource.name)) work.afterCommit(() => this.actors.forget());
  }

  private async projects(changes: readonly Change[], work: Work): Promise<void> {
    const setup = await this.processes.setup(work);
    for (const change of changes) {
      // A project lies in none.
      delete change.values.project;
      if (!change.isNew) continue;
      byDefault(change, 'process', refersTo(setup.defaultProcess));
      if (typeof change.values.name === 'string') byDefault(change, 'abbreviation', abbreviation(change.values.name));
    }
    await refuseOtherProcess(changes, work);
    await workflowRules(changes, work, this.processes);
  }
}

/** The states of what a project holds belong to its process. */
async function refuseOtherProcess(changes: readonly Change[], { rows }: Work): Promise<void> {
  const moved = changes.filter(({ isNew, values }) => !isNew && values.process !== undefined);
  if (moved.length === 0) return;
  // Whoever is about to put an item into one of them has looked at its process, and ends first or looks again.
  await rows('select 1 from general where id = any($1::bigint[]) order by id for update', [moved.map(({ id }) => id)]);
  const used = await rows<{ id: number }>(
    `select id from unnest($1::bigint[]) as u(id) where exists
       (select 1 from general g where g.project_id = u.id and g.entity_state_id is not null)`,
    [moved.map(({ id }) => id)],
  );
  const change = moved.find(({ id }) => used.some((project) => project.id === id));
  if (change) throw refuse(change, 'Process', 'the project holds items whose states belong to its present process.');
}
