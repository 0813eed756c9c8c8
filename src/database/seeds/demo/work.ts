/**
 * Portfolio epics, epics, features, stories, tasks, bugs, requests and impediments, in all states, assigned and
 * estimated.
 */

import { addItem, type DemoItem, type Progress } from './item.js';
import type { People } from './people.js';
import type { DemoPlan, DemoProject } from './plan.js';
import { bugPatterns, impediments, requestPatterns, storyPatterns, taskPatterns } from './words.js';
import type { DemoRow, DemoWriter } from './writer.js';

export function addWork(writer: DemoWriter, plan: DemoPlan, people: People): DemoItem[] {
  const items: DemoItem[] = [];
  const first = plan.projects[0]!;
  const portfolio = ['Grow in Europe', 'Cut delivery costs', 'Be accessible'].map((name, at) => {
    const item = addItem(writer, items, people, {
      kind: 31,
      name,
      project: first,
      progress: 1,
      row: { project_id: at === 2 ? null : first.id, initial_estimate: 100 },
    });
    return item.id;
  });
  for (const [at, project] of plan.projects.entries())
    addProjectWork({
      writer,
      items,
      people,
      project,
      portfolioEpic: portfolio[at % 3]!,
      milestone: at < 2 ? plan.milestones[at] : undefined,
    });
  return items;
}

interface Setting {
  writer: DemoWriter;
  items: DemoItem[];
  people: People;
  project: DemoProject;
  portfolioEpic: number;
  milestone?: number;
}

function addProjectWork({ writer, items, people, project, portfolioEpic, milestone }: Setting): void {
  for (const [name, things] of project.words.epics) {
    const epic = addItem(writer, items, people, {
      kind: 27,
      name,
      project,
      progress: 1,
      row: {
        portfolio_epic_id: portfolioEpic,
        release_id: project.releases[1],
        initial_estimate: 40,
        milestone_id: milestone ?? null,
      },
    });
    for (const thing of things) addFeature(writer, items, people, { project, epic: epic.id, thing });
  }
  const hindered = items.at(-1)!.id;
  for (const [at, name] of impediments.slice(0, project.deleted ? 1 : 3).entries()) {
    addItem(writer, items, people, {
      kind: 16,
      name,
      project,
      progress: at === 0 ? 2 : 0,
      row: { responsible_id: project.members[0], assignable_id: hindered, is_private: false },
    });
  }
}

interface FeatureSetting {
  project: DemoProject;
  epic: number;
  thing: string;
}

function addFeature(
  writer: DemoWriter,
  items: DemoItem[],
  people: People,
  { project, epic, thing }: FeatureSetting,
): void {
  const progress = progressOf(writer);
  const feature = addItem(writer, items, people, {
    kind: 9,
    name: capital(thing),
    project,
    progress,
    row: {
      epic_id: epic,
      release_id: planned(writer, project, progress).release_id ?? null,
      initial_estimate: 13,
      build_id: null,
    },
  });
  for (let at = 0; at < 8; at += 1) addStory(writer, items, people, { project, feature: feature.id, thing, at });
  for (let at = 0; at < 6; at += 1) {
    const name = fill(bugPatterns[at]!, thing);
    const progress = progressOf(writer);
    const story = items.filter((item) => item.kind === 4 && item.project === project).at(-1 - at);
    addItem(writer, items, people, {
      kind: 8,
      name,
      project,
      progress,
      row: {
        feature_id: feature.id,
        user_story_id: at % 2 ? story?.id : null,
        severity_id: 1 + writer.random(5),
        build_id: writer.pick(project.builds),
        ...planned(writer, project, progress),
      },
    });
  }
  for (let at = 0; at < 3; at += 1) {
    const request = addItem(writer, items, people, {
      kind: 17,
      name: fill(requestPatterns[at]!, thing),
      project,
      progress: progressOf(writer),
      row: {
        request_type_id: 1 + writer.random(3),
        source_type: writer.pick(['Email', 'Phone', 'Internal', 'External']),
        is_replied: writer.chance(50),
        is_private: false,
        votes_count: 1 + writer.random(20),
      },
    });
    for (const requester of new Set([writer.pick(people.requesters), writer.pick(people.requesters)])) {
      writer.link('request_requester', { request_id: request.id, requester_id: requester });
    }
  }
}

interface StorySetting {
  project: DemoProject;
  feature: number;
  thing: string;
  at: number;
}

function addStory(
  writer: DemoWriter,
  items: DemoItem[],
  people: People,
  { project, feature, thing, at }: StorySetting,
): void {
  const progress = progressOf(writer);
  const schedule = planned(writer, project, progress);
  const team =
    project.teamIterations.length > 0 && writer.chance(60)
      ? { team_iteration_id: writer.pick(project.teamIterations) }
      : {};
  const story = addItem(writer, items, people, {
    kind: 4,
    name: odd(fill(storyPatterns[at]!, thing), items.length),
    project,
    progress,
    row: {
      feature_id: writer.chance(90) ? feature : null,
      initial_estimate: 1 + writer.random(8),
      build_id: writer.chance(20) ? writer.pick(project.builds) : null,
      ...schedule,
      ...team,
    },
  });
  const tasks = writer.random(4);
  for (let step = 0; step < tasks; step += 1) {
    const done = progress === 2 ? 2 : progress === 1 ? progressOf(writer) : 0;
    addItem(writer, items, people, {
      kind: 5,
      name: taskPatterns[(at + step) % taskPatterns.length]!,
      project,
      progress: done,
      row: { user_story_id: story.id, ...schedule, ...team },
      within: story,
    });
  }
}

const progressOf = (writer: DemoWriter): Progress => ([0, 0, 1, 1, 2] as const)[writer.random(5)]!;

/** A release and, where the project has them, an iteration: past or current once work has begun, else to come. */
function planned(writer: DemoWriter, project: DemoProject, progress: Progress): DemoRow {
  const releases = [project.releases.slice(1), project.releases.slice(1, 2), project.releases.slice(0, 2)][progress]!;
  const iterations = project.iterations.filter(
    ({ start, end }) => [end >= 0, start <= 0 && end >= 0, start <= 0][progress],
  );
  const release = writer.chance(80) ? { release_id: writer.pick(releases) } : {};
  const iteration = iterations.length > 0 && writer.chance(70) ? { iteration_id: writer.pick(iterations).id } : {};
  return { ...release, ...iteration };
}

const fill = (pattern: string, thing: string): string => capital(pattern.replace('{x}', thing));
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A few names that try a format's patience. */
const odd = (name: string, at: number): string =>
  at % 97 === 50
    ? `${name} <b>& "quoted"</b>`
    : at % 89 === 40
      ? `${name} – 顧客 😀`
      : at % 83 === 30
        ? `${name} (isn't it?)`
        : name;
