/** Rules of test plans, cases, steps and their runs. */
import { Injectable } from '@nestjs/common';
import type { Change, Removal, Restoral, Work } from '../../command/change.js';
import type { ResourceType } from '../../model/model.js';
import { AssignablesService } from '../assignables/assignables.service.js';
import { generalDefaults, lieWithOwner, refuseEndBeforeStart } from '../generals/general-rules.js';
import { workflowRules } from '../process/workflow-rules.js';
import { caseRunsAfter, caseRunsBefore, caseRunsGo, caseRunsGone, testCasesAfter } from './case-run-rules.js';
import { followPlans, runsFollowPlans } from './plan-rules.js';
import { planRunsAfter, planRunsBefore } from './plan-run-rules.js';
import { runsBack, runsGo, runsGone } from './run-removal-rules.js';
import { stepRunsBefore, stepsAfter, stepsBefore, stepsGo } from './step-rules.js';

type Saving = (changes: readonly Change[], work: Work) => Promise<void>;
type Removing = (removals: readonly Removal[], work: Work) => Promise<void>;

interface KindRules {
  before?: Saving;
  after?: Saving;
  go?: Removing;
  gone?: Removing;
}

@Injectable()
export class TestPlansService extends AssignablesService {
  private readonly kinds: Record<string, KindRules | undefined> = {
    TestCase: { before: (changes, work) => this.testCases(changes, work), after: testCasesAfter },
    TestPlan: {
      after: (changes, work) => runsFollowPlans(changes, this.model.resource('TestPlanRun'), work),
      go: runsGo,
      gone: runsGone,
    },
    TestPlanRun: { before: planRunsBefore, after: planRunsAfter, go: runsGo, gone: runsGone },
    TestCaseRun: {
      before: caseRunsBefore,
      after: caseRunsAfter,
      go: (removals, work) => caseRunsGo(removals, work, this.model.resource('TestStepRun')),
      gone: caseRunsGone,
    },
    TestStep: {
      before: stepsBefore,
      after: stepsAfter,
      go: (removals, work) => stepsGo(removals, work, this.model.resource('TestStepRun')),
    },
    TestStepRun: { before: stepRunsBefore },
  };

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    const { resource } = changes[0]!;
    await this.kinds[resource.name]?.before?.(changes, work);
    if (isAssignable(resource)) await super.beforeSave(changes, work);
  }

  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    const { resource } = changes[0]!;
    if (isGeneral(resource)) await super.afterSave(changes, work);
    await this.kinds[resource.name]?.after?.(changes, work);
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    const { resource } = removals[0]!;
    // Ways to what goes along lead through runs that are still there.
    await this.kinds[resource.name]?.go?.(removals, work);
    if (isGeneral(resource)) await super.beforeDelete(removals, work);
  }

  override async afterDelete(removals: readonly Removal[], work: Work): Promise<void> {
    const { resource } = removals[0]!;
    if (isGeneral(resource)) await super.afterDelete(removals, work);
    await this.kinds[resource.name]?.gone?.(removals, work);
  }

  override async afterRestore(restorals: readonly Restoral[], work: Work): Promise<void> {
    const { resource } = restorals[0]!;
    await super.afterRestore(restorals, work);
    if (resource.name !== 'TestPlanRun') return;
    await followPlans(restorals, this.model, work);
    await runsBack(restorals, work);
  }

  private async testCases(changes: readonly Change[], work: Work): Promise<void> {
    for (const change of changes) lieWithOwner(change, work);
    generalDefaults(changes);
    for (const change of changes) refuseEndBeforeStart(change);
    await workflowRules(changes, work, this.processes);
  }
}

const isGeneral = (resource: ResourceType): boolean => resource.isGeneral;
const isAssignable = ({ base }: ResourceType): boolean => base?.name === 'Assignable';
