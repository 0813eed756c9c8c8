/** The family of tests. */
import { Module } from '@nestjs/common';
import { resourceController } from '../../http/resource.controller.js';
import { TestCase } from './test-case.entity.js';
import { TestCaseRun } from './test-case-run.entity.js';
import { TestPlan } from './test-plan.entity.js';
import { TestPlanRun } from './test-plan-run.entity.js';
import { TestPlansService } from './test-plans.service.js';
import { TestRunItemHierarchyLink } from './test-run-item-hierarchy-link.entity.js';
import { TestStep } from './test-step.entity.js';
import { TestStepRun } from './test-step-run.entity.js';

@Module({
  controllers: [
    resourceController(
      TestPlansService,
      TestCase,
      TestCaseRun,
      TestPlan,
      TestPlanRun,
      TestRunItemHierarchyLink,
      TestStep,
      TestStepRun,
    ),
  ],
  providers: [TestPlansService],
})
export class TestPlansModule {}
