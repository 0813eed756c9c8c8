/** Rules of releases, iterations and builds. */
import { Injectable } from '@nestjs/common';
import { byDefault, type Change, referenced } from '../../command/change.js';
import { GeneralsService } from '../generals/generals.service.js';

@Injectable()
export class ReleasesService extends GeneralsService {
  override async beforeSave(change: Change): Promise<void> {
    await super.beforeSave(change);
    if (change.resource.name === 'Build' && change.isNew) byDefault(change, 'buildDate', change.now);
  }

  /** A release has its first project among its projects. */
  override async afterSave(change: Change): Promise<void> {
    const project = change.resource.name === 'Release' ? referenced(change, 'project') : undefined;
    if (project === undefined) return;
    await change.manager.query(
      'insert into release_project (release_id, project_id) values ($1, $2) on conflict do nothing',
      [change.id, project],
    );
  }
}
