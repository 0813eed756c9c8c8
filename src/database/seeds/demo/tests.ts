/** Test plans, cases with steps, and runs with their results. */
import type { People } from './people.js';
import { type DemoPlan, general } from './plan.js';
import type { DemoItem } from './work.js';
import type { DemoWriter } from './writer.js';

const statuses = ['Passed', 'Passed', 'Passed', 'Failed', 'NotRun', 'OnHold', 'Blocked'] as const;
const counts = {
  NotRun: 'not_run_count',
  Passed: 'passed_count',
  Failed: 'failed_count',
  OnHold: 'on_hold_count',
  Blocked: 'blocked_count',
};

/** Returns the ids of the runs. */
export function addTests(writer: DemoWriter, plan: DemoPlan, work: readonly DemoItem[], people: People): number[] {
  const runs: number[] = [];
  for (const project of plan.projects.filter((one) => !one.deleted)) {
    const stories = work.filter((item) => item.kind === 4 && item.project === project).slice(0, 3);
    const plans: number[] = [];
    for (const story of stories) {
      const states = { 1: 128, 2: 228, 3: 73 }[project.words.process]!;
      const id = general(writer, 13, {
        name: `Check story ${story.id}`,
        project_id: project.id,
        linked_general_id: story.id,
        entity_state_id: states,
        priority_id: 16,
        units: 'h',
        calculated_estimate: 1,
        initial_estimate: 1,
      });
      Object.assign(writer.rows('general').find((row) => row.id === story.id)!, { linked_test_plan_id: id });
      const cases = Array.from({ length: 4 }, (_, at) =>
        addCase(writer, { project: project.id, story: story.id, plan: id, at }),
      );
      plans.push(id);
      for (let at = 0; at < 2; at += 1) runs.push(addRun(writer, { project, plan: id, cases, at, work, people }));
    }
    if (plans.length > 1) writer.link('test_plan_hierarchy', { parent_id: plans[0], child_id: plans[1] });
  }
  return runs;
}

interface CaseSetting {
  project: number;
  story: number;
  plan: number;
  at: number;
}

function addCase(writer: DemoWriter, { project, story, plan, at }: CaseSetting): number {
  const id = general(writer, 12, {
    name: `Case ${at + 1} of plan ${plan}`,
    project_id: project,
    user_story_id: story,
    priority_id: 22 + at,
    description: '<p>Given a signed-in customer</p>',
  });
  writer.link('test_plan_test_case', { test_plan_id: plan, test_case_id: id });
  for (const [order, [description, result]] of [
    ['Open the page', 'It loads'],
    ['Press the button', 'It answers'],
    ['Sign out', 'Nothing is left'],
  ].entries()) {
    writer.add('test_step', { test_case_id: id, description, result, run_order: order + 1 });
  }
  return id;
}

interface RunSetting {
  project: DemoPlan['projects'][number];
  plan: number;
  cases: number[];
  at: number;
  work: readonly DemoItem[];
  people: People;
}

function addRun(writer: DemoWriter, { project, plan, cases, at, work, people }: RunSetting): number {
  const open = { 1: 115, 2: 215, 3: 60 }[project.words.process]!;
  const id = general(writer, 14, {
    name: `Run ${at + 1} of plan ${plan}`,
    project_id: project.id,
    test_plan_id: plan,
    build_id: project.builds[at],
    release_id: project.releases[1],
    entity_state_id: open + at,
    priority_id: 12,
    units: 'h',
  });
  const row = writer.rows('general').at(-1)!;
  for (const column of Object.values(counts)) row[column] = 0;
  const steps = writer.rows('test_step');
  for (const testCase of cases) {
    const status = at === 1 ? writer.pick(statuses) : 'Passed';
    row[counts[status]] = (row[counts[status]] as number) + 1;
    const tester = writer.pick(people.users);
    const caseRun = writer.add('test_case_run', {
      test_plan_run_id: id,
      root_test_plan_run_id: id,
      test_case_id: testCase,
      status,
      comment: status === 'Failed' ? 'Wrong sum' : null,
      last_executor_id: tester,
      priority_id: 25,
      start_run_date: writer.day(-10),
      end_run_date: status === 'NotRun' ? null : writer.day(-9),
    });
    for (const step of steps.filter((one) => one.test_case_id === testCase)) {
      writer.add('test_step_run', {
        test_case_run_id: caseRun,
        test_step_id: step.id,
        run_order: step.run_order,
        description: step.description,
        result: step.result,
        runned: status !== 'NotRun',
        passed: status === 'Passed',
      });
    }
    Object.assign(writer.rows('general').find((one) => one.id === testCase)!, {
      last_run_status: status,
      last_run_date: writer.day(-9),
      last_failure_comment: status === 'Failed' ? 'Wrong sum' : null,
    });
    const bug = work.find((item) => item.kind === 8 && item.project === project);
    if (status === 'Failed' && bug) {
      writer.link('test_case_run_bug', { test_case_run_id: caseRun, bug_id: bug.id });
      if (!writer.rows('test_plan_run_bug').some((one) => one.test_plan_run_id === id))
        writer.link('test_plan_run_bug', { test_plan_run_id: id, bug_id: bug.id });
    }
  }
  return id;
}
