/** Programs, projects, teams, memberships, releases, iterations, milestones and builds. */
import type { People } from './people.js';
import { type ProjectWords, projects, teams } from './words.js';
import type { DemoRow, DemoWriter } from './writer.js';

export interface DemoProject {
  id: number;
  words: ProjectWords;
  members: number[];
  team: number;
  releases: number[];
  /** Start and end, in days from today. */
  iterations: { id: number; start: number; end: number }[];
  teamIterations: number[];
  builds: number[];
  deleted: boolean;
}

export interface DemoPlan {
  projects: DemoProject[];
  teams: number[];
  milestones: number[];
}

const admin = 1;

/** The effort of tasks and bugs is in hours, that of all others which have any in points, as the service has it. */
const units: Record<number, 'pt' | 'h'> = {
  ...{ 1: 'pt', 2: 'pt', 3: 'pt', 4: 'pt', 5: 'h', 8: 'h', 9: 'pt', 13: 'pt', 14: 'pt', 17: 'pt', 24: 'pt' },
  ...{ 27: 'pt', 31: 'pt' },
};

/** What every General has. */
export function general(writer: DemoWriter, entityTypeId: number, row: DemoRow): number {
  const rank = writer.rows('general').length + 1;
  return writer.add('general', {
    entity_type_id: entityTypeId,
    numeric_priority: rank,
    units: units[entityTypeId],
    custom_values: {},
    entity_version: 1,
    owner_id: admin,
    last_editor_id: admin,
    create_date: writer.day(-300),
    modify_date: writer.day(-1 - writer.random(20)),
    ...row,
  });
}

export function addPlan(writer: DemoWriter, people: People): DemoPlan {
  const programs = ['Customer Experience', 'Operations'].map((name) =>
    general(writer, 10, { name, description: `<p>${name} as a whole</p>` }),
  );
  const allTeams = teams.map((name, index) =>
    addTeam(writer, name, people.users.slice(index * 4, index * 4 + 4), people),
  );
  const plans = projects.map((words, index) =>
    addProject(writer, { words, index, programs, team: allTeams[index % 5]! }, people),
  );
  const gone = ['Old Intranet', 'Pilot 2019'].map((name, index) => {
    const words: ProjectWords = {
      name,
      process: 3,
      program: 0,
      color: '#999999',
      epics: [['Keep it running', ['old pages']]],
    };
    return {
      ...addProject(writer, { words, index: index + 6, programs, team: allTeams[index]! }, people),
      deleted: true,
    };
  });
  shareRelease(writer, plans);
  const milestones = [
    ['Spring launch', 40],
    ['Audit', -15],
  ].map(([name, days]) => {
    const id = general(writer, 32, { name, date: writer.midnight(Number(days)), css_class: 'milestone-blue' });
    for (const plan of plans.slice(0, 2)) writer.add('milestone_project', { milestone_id: id, project_id: plan.id });
    return id;
  });
  return { projects: [...plans, ...gone], teams: allTeams, milestones };
}

const emojis: Record<string, string> = { Alpha: ':sailboat:', Compass: ':compass:', Lighthouse: ':bulb:' };

function addTeam(writer: DemoWriter, name: string, members: number[], people: People): number {
  const id = general(writer, 23, {
    name,
    is_active: true,
    abbreviation: name.slice(0, 2).toUpperCase(),
    emoji_icon: emojis[name] ?? null,
  });
  for (const user of members)
    writer.add('team_member', {
      team_id: id,
      user_id: user,
      role_id: people.roleOf.get(user),
      start_date: writer.midnight(-200),
    });
  return id;
}

interface Setting {
  words: ProjectWords;
  index: number;
  programs: number[];
  team: number;
}

function addProject(writer: DemoWriter, { words, index, programs, team }: Setting, people: People): DemoProject {
  const id = general(writer, 1, {
    name: words.name,
    description: `<p>Everything about <b>${words.name}</b>.</p>`,
    process_id: words.process,
    program_id: programs[words.program],
    is_active: true,
    is_product: index % 2 === 0,
    is_private: false,
    color: words.color,
    abbreviation: initials(words.name),
    entity_state_id: projectState(words.process),
    company_id: index % 3 === 0 ? people.companies[index % people.companies.length] : null,
    start_date: writer.midnight(-300),
    planned_start_date: writer.midnight(-300),
    planned_end_date: writer.midnight(200),
    create_date: writer.day(-310 + index),
  });
  const members = people.users.filter((_, at) => at % 3 === index % 3 || at === 6).concat(people.observer);
  for (const user of members) {
    writer.add('project_member', {
      project_id: id,
      user_id: user,
      role_id: people.roleOf.get(user),
      weekly_available_hours: 20,
      allocation: 50,
      membership_start_date: writer.midnight(-250),
    });
  }
  const link = writer.add('team_project', {
    team_id: team,
    project_id: id,
    is_full_project_access: true,
    start_date: writer.midnight(-200),
  });
  writer.add('team_project_allocation', {
    team_project_id: link,
    percentage: 50,
    start_date: writer.midnight(-100),
    end_date: writer.midnight(100),
  });
  const releases = addReleases(writer, id, words.name);
  const iterations = words.process === 2 ? [] : addIterations(writer, id, releases);
  const teamIterations = addTeamIterations(writer, team, releases[1]!, index);
  const builds = [0, 1].map((at) =>
    general(writer, 11, {
      name: `${words.name} 2.${at}`,
      project_id: id,
      build_date: writer.day(-40 + at * 14),
      release_id: releases[1],
      iteration_id: iterations[4]?.id ?? null,
    }),
  );
  return { id, words, members, team, releases, iterations, teamIterations, builds, deleted: false };
}

/** The states of a project in each process: In Progress is the second of three. */
const projectState = (process: number): number => ({ 1: 131, 2: 231, 3: 76 })[process]!;

function addReleases(writer: DemoWriter, project: number, name: string): number[] {
  const spans = [
    ['2.0', -200, -80],
    ['2.1', -79, 45],
    ['3.0', 46, 160],
  ] as const;
  return spans.map(([number, start, end]) => {
    const id = general(writer, 2, {
      name: `${name} ${number}`,
      project_id: project,
      start_date: writer.midnight(start),
      end_date: writer.midnight(end),
      create_date: writer.day(-250),
    });
    // The first project has its row too, so that one filter finds a release in all its projects.
    writer.add('release_project', { release_id: id, project_id: project });
    return id;
  });
}

/** Two weeks each, Monday to Sunday. */
function addIterations(writer: DemoWriter, project: number, releases: number[]): DemoProject['iterations'] {
  const monday = writer.monday - 70;
  return Array.from({ length: 8 }, (_, at) => {
    const start = monday + at * 14;
    const id = general(writer, 3, {
      name: `Sprint ${at + 1}`,
      project_id: project,
      release_id: start < 40 ? releases[1] : releases[2],
      velocity: 20 + at,
      duration: 14,
      start_date: writer.midnight(start),
      end_date: new Date(writer.midnight(start + 14).getTime() - 1000),
      create_date: writer.day(-90 + at),
    });
    return { id, start, end: start + 13 };
  });
}

function addTeamIterations(writer: DemoWriter, team: number, release: number, index: number): number[] {
  if (index >= 5)
    return writer
      .rows('general')
      .filter((row) => row.entity_type_id === 24 && row.team_id === team)
      .map((row) => row.id as number);
  const monday = writer.monday - 28;
  return Array.from({ length: 4 }, (_, at) =>
    general(writer, 24, {
      name: `Team sprint ${at + 1}`,
      team_id: team,
      release_id: release,
      velocity: 18,
      duration: 14,
      capacity: 120,
      start_date: writer.midnight(monday + at * 14),
      end_date: new Date(writer.midnight(monday + at * 14 + 14).getTime() - 1000),
      create_date: writer.day(-60),
    }),
  );
}

/** One release belongs to three projects: a first one and two more. */
function shareRelease(writer: DemoWriter, plans: DemoProject[]): void {
  const shared = plans[0]!.releases[1]!;
  for (const plan of plans.slice(1, 3)) writer.add('release_project', { release_id: shared, project_id: plan.id });
}

const initials = (name: string): string =>
  name
    .split(' ')
    .map((word) => word[0])
    .join('')
    .toUpperCase();
