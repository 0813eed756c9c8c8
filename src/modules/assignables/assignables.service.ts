/** Rules of work items: what they take from their parents, their state, priority and dates. */
import { Injectable } from '@nestjs/common';
import { byDefault, type Change, referenced } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import { generalDefaults } from '../generals/general-rules.js';
import { priorityRule, severityRule, stateRule } from '../process/workflow-rules.js';

@Injectable()
export class AssignablesService extends ResourceService {
  override async beforeSave(change: Change): Promise<void> {
    if (change.resource.name === 'Assignment' && change.isNew) await roleOfAssignment(change);
    if (change.resource.root.name !== 'General') return;
    if (change.isNew) await inherit(change);
    await generalDefaults(change);
    await stateRule(change);
    await priorityRule(change);
    await byKind[change.resource.name]?.(change);
  }
}

/** Without a role people work in the one they have in the project, else in their own. */
async function roleOfAssignment(change: Change): Promise<void> {
  const [row] = await change.manager.query(
    `select coalesce((select m.role_id from project_member m join general g on g.project_id = m.project_id
       where g.id = $1 and m.user_id = u.id), u.role_id) as role from general_user u where u.id = $2`,
    [referenced(change, 'assignable') ?? 0, referenced(change, 'generalUser') ?? 0],
  );
  byDefault(change, 'role', row?.role ? { id: row.role } : undefined);
}

/** A task lies where its story lies; a run where its plan lies, whatever was sent. */
async function inherit(change: Change): Promise<void> {
  const story = change.resource.name === 'Task' ? referenced(change, 'userStory') : undefined;
  const plan = change.resource.name === 'TestPlanRun' ? referenced(change, 'testPlan') : undefined;
  const parent = story ?? plan;
  if (parent === undefined) return;
  const [row] = await change.manager.query(
    'select name, project_id, release_id, iteration_id, team_iteration_id from general where id = $1',
    [parent],
  );
  if (plan !== undefined) {
    change.values.project = { id: row.project_id };
    byDefault(change, 'name', row.name);
    return;
  }
  byDefault(change, 'project', reference(row.project_id));
  byDefault(change, 'release', reference(row.release_id));
  byDefault(change, 'iteration', reference(row.iteration_id));
  byDefault(change, 'teamIteration', reference(row.team_iteration_id));
}

const reference = (id: number | null) => (id === null ? undefined : { id });

const byKind: Record<string, ((change: Change) => Promise<void>) | undefined> = {
  Bug: severityRule,
  Request: async (change) => {
    if (!change.isNew) return;
    const [first] = await change.manager.query('select id from request_type order by id limit 1');
    byDefault(change, 'requestType', first && { id: first.id });
    change.values.votesCount = 1;
  },
  Impediment: async (change) => {
    if (change.isNew) byDefault(change, 'responsible', { id: change.actor.userId });
  },
};
