/** Rules of projects: their process, state and abbreviation. */
import { Injectable } from '@nestjs/common';
import { byDefault, type Change } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import { generalDefaults } from '../generals/general-rules.js';
import { stateRule } from '../process/workflow-rules.js';
import { abbreviation } from './abbreviation.js';

@Injectable()
export class ProjectsService extends ResourceService {
  override async beforeSave(change: Change): Promise<void> {
    if (change.resource.root.name === 'General') await generalDefaults(change);
    if (change.resource.name === 'Project') await projectDefaults(change);
    if (change.resource.name === 'ProjectMember' && change.isNew) await memberRole(change);
  }
}

async function projectDefaults(change: Change): Promise<void> {
  if (change.isNew) {
    const [standard] = await change.manager.query('select id from process where is_default order by id limit 1');
    byDefault(change, 'process', standard && { id: standard.id });
    if (typeof change.values.name === 'string') byDefault(change, 'abbreviation', abbreviation(change.values.name));
  }
  await stateRule(change);
}

/** Without a role a member has the user's default role. */
async function memberRole(change: Change): Promise<void> {
  const user = change.values.user as { id: number } | undefined;
  const [row] = await change.manager.query('select role_id from general_user where id = $1', [user?.id ?? 0]);
  byDefault(change, 'role', row?.role_id ? { id: row.role_id } : undefined);
}
