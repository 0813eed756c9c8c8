/** One work item: its state and the dates that go with it, who is on it and how much effort it takes. */
import type { People } from './people.js';
import { type DemoProject, general } from './plan.js';
import type { DemoRow, DemoWriter } from './writer.js';

/** 0 waiting, 1 under way, 2 done. */
export type Progress = 0 | 1 | 2;

export interface DemoItem {
  id: number;
  kind: number;
  project: DemoProject;
  /** Days from today: when it was created, and when it came to its last state. */
  created: number;
  last: number;
  progress: Progress;
  /** How it came to its state: the first is its creation. */
  moments: { date: Date; state: number }[];
  assignee?: number;
}

export interface ItemSetting {
  kind: number;
  name: string;
  project: DemoProject;
  progress: Progress;
  row: DemoRow;
  /** What it is a part of: not begun before that, and ended with it. */
  within?: DemoItem;
}

export function addItem(
  writer: DemoWriter,
  items: DemoItem[],
  people: People,
  { kind, name, project, progress, row, within }: ItemSetting,
): DemoItem {
  const until = within?.progress === 2 ? within.last : -1;
  const created = within ? Math.min(within.created + writer.random(10), until, -3) : -5 - writer.random(240);
  const first = firstState[project.words.process]![kind]!;
  const { days, moments } = courseOf(writer, { kind, progress, created, until, first });
  const last = moments.at(-1)!;
  const id = general(writer, kind, {
    name,
    project_id: project.id,
    owner_id: writer.pick(project.members),
    last_editor_id: writer.pick(project.members),
    create_date: moments[0]!.date,
    // Something small is changed after the last step.
    modify_date: new Date(Math.min(last.date.getTime() + 3_600_000 * writer.random(30), writer.now.getTime())),
    description: writer.chance(70)
      ? `<div>${name.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}: <b>why</b> and <i>how</i>. Some text to read.</div>`
      : null,
    start_date: moments[1]?.date ?? null,
    end_date: progress === 2 ? last.date : null,
    entity_state_id: last.state,
    last_state_change_date: last.date,
    priority_id: writer.pick(priorities[kind]!),
    planned_start_date: null,
    planned_end_date: writer.chance(20) ? new Date(writer.midnight(1 + writer.random(90)).getTime() - 1000) : null,
    ...row,
  });
  const item: DemoItem = { id, kind, project, created, last: days.at(-1)!, progress, moments };
  items.push(item);
  if (kind !== 16) assign(writer, item, people);
  return item;
}

/** The first state of each kind, by process; states of a kind follow one another. */
export const firstState: Record<number, Record<number, number>> = {
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
};

interface Course {
  kind: number;
  progress: Progress;
  created: number;
  until: number;
  first: number;
}

/** From state to state without leaving one out, a few days each. */
function courseOf(writer: DemoWriter, { kind, progress, created, until, first }: Course) {
  const final = stateCount[kind]! - 1;
  const steps = [0, Math.min(final - 1, 1 + writer.random(final - 1)), final][progress]!;
  const days = [created];
  for (let at = 0; at < steps; at += 1) days.push(Math.min(days[at]! + 1 + writer.random(at === 0 ? 30 : 8), until));
  // Steps of one day come in the order of their hours.
  const dates = days.map((day) => writer.day(day)).sort((a, b) => a.getTime() - b.getTime());
  return { days, moments: dates.map((date, at) => ({ date, state: first + at })) };
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
      start_date: item.moments[0]!.date,
      entity_state_id: item.moments.at(-1)!.state,
    });
    Object.assign(writer.rows('general').at(-1)!, { team_id: project.team, responsible_team_id: link });
  }
  if (![4, 5, 8, 17].includes(item.kind)) return;
  for (const role of [1, 9]) {
    const effort = writer.chance(role === 1 ? 90 : 50) ? 1 + writer.random(role === 1 ? 8 : 3) : 0;
    const written = { initial_estimate: effort, own_effort: effort, effort };
    writer.add('role_effort', { assignable_id: id, role_id: role, ...written, ...nothingDone });
  }
}

const nothingDone = { effort_completed: 0, effort_to_do: 0, time_spent: 0, time_remain: 0 };
