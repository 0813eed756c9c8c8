/** Rules of releases, iterations and builds. */
import { Injectable } from '@nestjs/common';
import {
  byDefault,
  type Change,
  current,
  type Removal,
  type Restoral,
  referenced,
  refersTo,
  type Work,
} from '../../command/change.js';
import { lieBeside } from '../../command/permit-places.js';
import { GeneralsService } from '../generals/generals.service.js';
import { refuseCutsOfOwn, refuseOtherLinks } from './first-project-rules.js';
import { iterationDays, refuseOverlaps, refuseRestoredOverlaps } from './iteration-rules.js';

@Injectable()
export class ReleasesService extends GeneralsService {
  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    for (const change of changes) projectOfRelease(change, work);
    for (const change of changes) firstProject(change);
    const kind = changes[0]!.resource.name;
    if (kind === 'ReleaseProject') await refuseOtherLinks(changes, work);
    const isIteration = kind === 'Iteration' || kind === 'TeamIteration';
    if (isIteration) for (const change of changes) iterationDays(change);
    if (kind === 'Build') for (const change of changes) if (change.isNew) byDefault(change, 'buildDate', change.now);
    await super.beforeSave(changes, work);
    if (isIteration) await refuseOverlaps(changes, work);
  }

  /** A release has its first project among its projects; the one that it leaves is no longer one of them. */
  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    await super.afterSave(changes, work);
    const moved = changes.filter(({ resource, values }) => resource.name === 'Release' && values.project);
    if (moved.length === 0) return;
    const left = moved.filter(({ isNew }) => !isNew);
    await work.rows(
      `delete from release_project l using unnest($1::bigint[], $2::bigint[]) as u(release, project)
       where l.release_id = u.release and l.project_id = u.project`,
      [left.map(({ id }) => id), left.map(({ before }) => before!.project_id)],
    );
    await work.rows(
      'insert into release_project (release_id, project_id) select * from unnest($1::bigint[], $2::bigint[]) on conflict do nothing',
      [moved.map(({ id }) => id), moved.map((change) => referenced(change, 'project'))],
    );
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    await super.beforeDelete(removals, work);
    if (removals[0]!.resource.name !== 'ReleaseProject') return;
    await refuseCutsOfOwn(
      removals.map(({ before, path }) => ({ path, release: before.release_id, project: before.project_id })),
      work,
    );
  }

  override async afterRestore(restorals: readonly Restoral[], work: Work): Promise<void> {
    await super.afterRestore(restorals, work);
    const { name } = restorals[0]!.resource;
    if (name === 'Iteration' || name === 'TeamIteration') await refuseRestoredOverlaps(restorals, work);
  }
}

/** A release that says its projects alone lies in the first of them. */
function firstProject(change: Change): void {
  if (!change.isNew || change.resource.name !== 'Release') return;
  const projects = change.command.collections.find(({ field }) => field.name === 'Projects');
  byDefault(change, 'project', refersTo(projects?.items[0]?.id));
}

/** What belongs to a release lies in its project unless another is sent. */
function projectOfRelease(change: Change, { facts }: Work): void {
  if (!change.isNew || change.resource.name === 'TeamIteration' || !change.resource.field('Release')) return;
  const release = current(change, 'release');
  if (release !== undefined) lieBeside(change, facts.any(release, 'Release')?.project);
}
