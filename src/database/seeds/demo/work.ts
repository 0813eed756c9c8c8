/** Portfolio epics, epics, features, stories, tasks, bugs, requests and impediments, in all states, assigned and estimated. */
import type { People } from './people.js';
import { type DemoPlan, type DemoProject, general } from './plan.js';
import { bugPatterns, requestPatterns, storyPatterns, taskPatterns } from './words.js';
import type { DemoRow, DemoWriter } from './writer.js';

export interface DemoItem {
  id: number;
  kind: number;
  project: DemoProject;
  created: number;
  /** 0 waiting, 1 under way, 2 done. */
  progress: 0 | 1 | 2;
  assignee?: number;
}

/** The first state of each kind, by process; states of a kind follow one another. */
const firstState: Record<number, Record<number, number>> = {
  1: { 4: 101, 5: 105, 8: 108, 9: 112, 14: 115, 16: 117, 17: 119, 27: 122, 31: 125, 13: 128 },
  2: { 4: 201, 5: 205, 8: 208, 9: 212, 14: 215, 16: 217, 17: 219, 27: 222, 31: 225, 13: 228 },
  3: { 4: 46, 5: 50, 8: 53, 9: 57, 14: 60, 16: 62, 17: 64, 27: 67, 31: 70, 13: 73 },
};
const stateCount: Record<number, number> = { 4: 4, 5: 3, 8: 4, 9: 3, 14: 2, 16: 2, 17: 3, 27: 3, 31: 3, 13: 2 };
const priorities: Record<number, number[]> = {
  4: [1, 2, 3, 4, 5],
  5: [11],
  8: [6, 7],
  9: [8, 9, 10],
  16: [17, 18, 19],
  17: [20, 21],
  27: [13, 14, 15],
  31: [26, 27, 28],
  13: [16],
  14: [12],
};

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
    addProjectWork({ writer, items, people, project, portfolioEpic: portfolio[at % 3]! });
  return items;
}

interface Setting {
  writer: DemoWriter;
  items: DemoItem[];
  people: People;
  project: DemoProject;
  portfolioEpic: number;
}

function addProjectWork({ writer, items, people, project, portfolioEpic }: Setting): void {
  for (const [name, things] of project.words.epics) {
    const epic = addItem(writer, items, people, {
      kind: 27,
      name,
      project,
      progress: 1,
      row: { portfolio_epic_id: portfolioEpic, release_id: project.releases[1], initial_estimate: 40 },
    });
    for (const thing of things) addFeature(writer, items, people, { project, epic: epic.id, thing });
  }
  for (let at = 0; at < (project.deleted ? 1 : 3); at += 1) {
    addItem(writer, items, people, {
      kind: 16,
      name: `Waiting for supplier answer ${at + 1}`,
      project,
      progress: at === 0 ? 2 : 0,
      row: { responsible_id: project.members[0], assignable_id: items.at(-1)!.id, is_private: false },
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
    row: { epic_id: epic, release_id: writer.pick(project.releases), initial_estimate: 13, build_id: null },
  });
  for (let at = 0; at < 8; at += 1) addStory(writer, items, people, { project, feature: feature.id, thing, at });
  for (let at = 0; at < 6; at += 1) {
    const name = fill(bugPatterns[at]!, thing);
    const story = items.filter((item) => item.kind === 4 && item.project === project).at(-1 - at);
    addItem(writer, items, people, {
      kind: 8,
      name,
      project,
      progress: progressOf(writer),
      row: {
        feature_id: feature.id,
        user_story_id: at % 2 ? story?.id : null,
        severity_id: 1 + writer.random(5),
        build_id: writer.pick(project.builds),
        ...planned(writer, project),
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
  const schedule = planned(writer, project);
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
    });
  }
}

interface ItemSetting {
  kind: number;
  name: string;
  project: DemoProject;
  progress: 0 | 1 | 2;
  row: DemoRow;
}

function addItem(
  writer: DemoWriter,
  items: DemoItem[],
  people: People,
  { kind, name, project, progress, row }: ItemSetting,
): DemoItem {
  const created = -5 - writer.random(240);
  const started = progress > 0 ? Math.min(-3, created + 1 + writer.random(30)) : undefined;
  const ended = progress === 2 ? Math.min(-1, started! + 1 + writer.random(20)) : undefined;
  const states = stateCount[kind]!;
  const step =
    progress === 0
      ? 0
      : progress === 2
        ? states - 1
        : Math.min(states - 2, 1 + writer.random(states - 2)) || (states > 2 ? 1 : 0);
  const owner = writer.pick(project.members);
  const id = general(writer, kind, {
    name,
    project_id: project.id,
    owner_id: owner,
    last_editor_id: writer.pick(project.members),
    create_date: writer.day(created),
    modify_date: writer.day(Math.min(-1, (ended ?? started ?? created) + 1)),
    description: writer.chance(70)
      ? `<div>${name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}: <b>why</b> and <i>how</i>. Some text to read.</div>`
      : null,
    start_date: started === undefined ? null : writer.day(started),
    end_date: ended === undefined ? null : writer.day(ended),
    entity_state_id: firstState[project.words.process]![kind]! + step,
    last_state_change_date: writer.day(ended ?? started ?? created),
    priority_id: writer.pick(priorities[kind]!),
    units: 'pt',
    planned_start_date: null,
    planned_end_date: writer.chance(20) ? new Date(writer.midnight(writer.random(90)).getTime() - 1000) : null,
    ...row,
  });
  const item: DemoItem = { id, kind, project, created, progress };
  items.push(item);
  if (kind !== 16) assign(writer, item, people);
  if (project.deleted) {
    Object.assign(writer.rows('general').at(-1)!, { delete_date: writer.midnight(-20), deleted_with_id: project.id });
    Object.assign(writer.rows('general').find((known) => known.id === project.id)!, {
      delete_date: writer.midnight(-20),
    });
  }
  return item;
}

/** One or two people, the project's team on some, effort for developers and testers. */
function assign(writer: DemoWriter, item: DemoItem, people: People): void {
  const { project, id } = item;
  const workers = project.members.filter((user) => user !== people.observer);
  if (writer.chance(80)) {
    item.assignee = writer.pick(workers);
    writer.add('assignment', {
      assignable_id: id,
      general_user_id: item.assignee,
      role_id: people.roleOf.get(item.assignee),
    });
  }
  const second = writer.pick(workers);
  if (writer.chance(25) && second !== item.assignee)
    writer.add('assignment', { assignable_id: id, general_user_id: second, role_id: people.roleOf.get(second) });
  if (writer.chance(60)) {
    const link = writer.add('team_assignment', {
      assignable_id: id,
      team_id: project.team,
      start_date: writer.day(item.created),
      entity_state_id: null,
    });
    Object.assign(writer.rows('general').at(-1)!, { team_id: project.team, responsible_team_id: link });
  }
  if (![4, 5, 8, 17].includes(item.kind)) return;
  for (const role of [1, 9]) {
    const effort = writer.chance(role === 1 ? 90 : 50) ? 1 + writer.random(role === 1 ? 8 : 3) : 0;
    writer.add('role_effort', {
      assignable_id: id,
      role_id: role,
      initial_estimate: effort,
      effort,
      effort_completed: 0,
      effort_to_do: 0,
      time_spent: 0,
      time_remain: 0,
    });
  }
}

const progressOf = (writer: DemoWriter): 0 | 1 | 2 => ([0, 0, 1, 1, 2] as const)[writer.random(5)]!;

/** A release, and an iteration of the project where it has any. */
function planned(writer: DemoWriter, project: DemoProject): DemoRow {
  const release = writer.chance(80) ? { release_id: writer.pick(project.releases) } : {};
  const iteration =
    project.iterations.length > 0 && writer.chance(70) ? { iteration_id: writer.pick(project.iterations).id } : {};
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
