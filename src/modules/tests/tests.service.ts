/** Rules of test plans, cases and runs. */
import { Injectable } from '@nestjs/common';
import type { Change } from '../../command/change.js';
import { AssignablesService } from '../assignables/assignables.service.js';
import { generalDefaults } from '../generals/general-rules.js';
import { priorityRule } from '../process/workflow-rules.js';

@Injectable()
export class TestsService extends AssignablesService {
  override async beforeSave(change: Change): Promise<void> {
    if (change.resource.base?.name === 'Assignable') return super.beforeSave(change);
    if (change.resource.name !== 'TestCase') return;
    await generalDefaults(change);
    await priorityRule(change);
  }
}
