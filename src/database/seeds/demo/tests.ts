/** Test plans of stories, with cases, steps, and runs with their results. */
import { type DemoItem, firstState } from './item.js';
import type { People } from './people.js';
import { type DemoPlan, general } from './plan.js';
import { testCases } from './words.js';
import type { DemoRow, DemoWriter } from './writer.js';

const statuses = ['Passed', 'Passed', 'Passed', 'Failed', 'NotRun', 'OnHold', 'Blocked'] as const;
const counts = {
  NotRun: 'not_run_count',
  Passed: 'passed_count',
  Failed: 'failed_count',
  OnHold: 'on_hold_count',
  Blocked: 'blocked_count',
};

type Project = DemoPlan['projects'][number];

interface TestContext {
  rows: Map<number, DemoRow>;
  work: readonly DemoItem[];
  people: People;
}

/** Returns the ids of the runs. */
export function addTests(writer: DemoWriter, plan: DemoPlan, work: readonly DemoItem[], people: People): number[] {
  const context: TestContext = {
    rows: new Map(writer.rows('general').map((row) => [row.id as number, row])),
    work,
    people,
  };
  return plan.projects.filter((one) => !one.deleted).flatMap((project) => addProjectTests(writer, project, context));
}

function addProjectTests(writer: DemoWriter, project: Project, context: TestContext): number[] {
  const stories = context.work.filter((item) => item.kind === 4 && item.project === project).slice(0, 3);
  const runs: number[] = [];
  const plans = stories.map((story) => {
    const row = context.rows.get(story.id)!;
    const name = row.name as string;
    const plan = general(writer, 13, {
      name: `Acceptance: ${name}`,
      project_id: project.id,
      linked_general_id: story.id,
      entity_state_id: firstState[project.words.process]![13],
      priority_id: 16,
      calculated_estimate: 0,
      initial_estimate: 1,
      create_date: writer.day(-60),
    });
    row.linked_test_plan_id = plan;
    const cases = testCases.map((words, at) => addCase(writer, { project: project.id, story, name, plan, words, at }));
    for (const isLast of [false, true]) runs.push(addRun(writer, { project, plan, name, cases, isLast }, context));
    return plan;
  });
  for (const child of plans.slice(1)) writer.link('test_plan_hierarchy', { parent_id: plans[0], child_id: child });
  return runs;
}

interface CaseSetting {
  project: number;
  story: DemoItem;
  name: string;
  plan: number;
  words: (typeof testCases)[number];
  at: number;
}

interface DemoCase {
  id: number;
  row: DemoRow;
  steps: DemoRow[];
}

function addCase(writer: DemoWriter, { project, story, name, plan, words, at }: CaseSetting): DemoCase {
  const [pattern, steps] = words;
  const id = general(writer, 12, {
    name: pattern.replace('{x}', name),
    project_id: project,
    user_story_id: story.id,
    priority_id: 22 + at,
    description: '<p>Given a customer with a filled basket</p>',
    create_date: writer.day(-55),
  });
  const row = writer.rows('general').at(-1)!;
  writer.link('test_plan_test_case', { test_plan_id: plan, test_case_id: id });
  const rows = steps.map(([description, result], order) => {
    const step = { test_case_id: id, description, result, run_order: order + 1 };
    return { id: writer.add('test_step', step), ...step };
  });
  return { id, row, steps: rows };
}

interface RunSetting {
  project: Project;
  plan: number;
  name: string;
  cases: DemoCase[];
  /** The first run is over, the last one under way. */
  isLast: boolean;
}

function addRun(writer: DemoWriter, { project, plan, name, cases, isLast }: RunSetting, context: TestContext): number {
  const day = isLast ? -3 : -12;
  const id = general(writer, 14, {
    name: `${isLast ? 'Second' : 'First'} round: ${name}`,
    project_id: project.id,
    test_plan_id: plan,
    build_id: project.builds[isLast ? 1 : 0],
    release_id: project.releases[1],
    entity_state_id: firstState[project.words.process]![14]! + (isLast ? 0 : 1),
    priority_id: 12,
    create_date: writer.day(day - 2),
    start_date: writer.day(day, 7),
    end_date: isLast ? null : writer.day(day, 18),
    modify_date: writer.day(day, 18),
    ...Object.fromEntries(Object.values(counts).map((column) => [column, 0])),
  });
  const row = writer.rows('general').at(-1)!;
  const bug = context.work.find((item) => item.kind === 8 && item.project === project)!;
  for (const testCase of cases) {
    const status = isLast ? writer.pick(statuses) : writer.pick(statuses.slice(0, 4));
    row[counts[status]] = (row[counts[status]] as number) + 1;
    const run = addCaseRun(writer, { run: id, testCase, status, day, tester: writer.pick(context.people.users) });
    if (status !== 'Failed') continue;
    writer.link('test_case_run_bug', { test_case_run_id: run, bug_id: bug.id });
    if (row.failed_count === 1) writer.link('test_plan_run_bug', { test_plan_run_id: id, bug_id: bug.id });
  }
  return id;
}

interface CaseRunSetting {
  run: number;
  testCase: DemoCase;
  status: (typeof statuses)[number];
  day: number;
  tester: number;
}

function addCaseRun(writer: DemoWriter, { run, testCase, status, day, tester }: CaseRunSetting): number {
  const wasRun = status !== 'NotRun';
  const [start, end] = [writer.day(day, 9), writer.day(day, 10 + writer.random(6))];
  const comment = status === 'Failed' ? 'The sum at the bottom was wrong' : null;
  const id = writer.add('test_case_run', {
    test_plan_run_id: run,
    root_test_plan_run_id: run,
    test_case_id: testCase.id,
    status,
    comment,
    last_executor_id: wasRun ? tester : null,
    priority_id: testCase.row.priority_id,
    start_run_date: wasRun ? start : null,
    end_run_date: wasRun ? end : null,
  });
  for (const [at, step] of testCase.steps.entries()) {
    writer.add('test_step_run', {
      test_case_run_id: id,
      test_step_id: step.id,
      run_order: step.run_order,
      description: step.description,
      result: step.result,
      runned: wasRun && !(status === 'Blocked' && at > 0),
      passed: status === 'Passed' || (status === 'Failed' && at === 0),
    });
  }
  if (wasRun) {
    Object.assign(testCase.row, { last_run_status: status, last_run_date: end, last_failure_comment: comment });
  }
  return id;
}
