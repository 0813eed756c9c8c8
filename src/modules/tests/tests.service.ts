/** Rules of test plans, cases and runs. */
import { Injectable } from '@nestjs/common';
import type { Change, Work } from '../../command/change.js';
import { AssignablesService } from '../assignables/assignables.service.js';
import { generalDefaults, refuseEndBeforeStart } from '../generals/general-rules.js';
import { workflowRules } from '../process/workflow-rules.js';

@Injectable()
export class TestsService extends AssignablesService {
  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    const { resource } = changes[0]!;
    if (resource.base?.name === 'Assignable') return super.beforeSave(changes, work);
    if (resource.name !== 'TestCase') return;
    generalDefaults(changes);
    for (const change of changes) refuseEndBeforeStart(change);
    await workflowRules(changes, work, this.processes);
  }
}
