/** Comments, times, tags, relations, followers, attachments, permissions, conversions, activities and histories. */
import type { People } from './people.js';
import type { DemoPlan } from './plan.js';
import { comments, tags } from './words.js';
import type { DemoItem } from './work.js';
import type { DemoRow, DemoWriter } from './writer.js';

export interface Everything {
  plan: DemoPlan;
  work: readonly DemoItem[];
  people: People;
  runs: readonly number[];
}

export function addTalk(writer: DemoWriter, { plan, work, people }: Everything): void {
  const tagIds = tags.map((name) => writer.add('tag', { name }));
  const rows = new Map(writer.rows('general').map((row) => [row.id as number, row]));
  for (const item of work) {
    const row = rows.get(item.id)!;
    if (writer.chance(35)) addComments(writer, item, row);
    if (item.assignee !== undefined && item.progress > 0 && [4, 5, 8, 17].includes(item.kind))
      addTimes(writer, item, people);
    for (const tag of new Set(writer.chance(35) ? [writer.pick(tagIds), writer.pick(tagIds)] : []))
      writer.link('general_tag', { general_id: item.id, tag_id: tag });
    if (writer.chance(10))
      writer.add('general_follower', { general_id: item.id, user_id: writer.pick(item.project.members) });
    addHistory(writer, item, row);
  }
  addRelations(writer, work);
  addFiles(writer, work);
  for (const project of plan.projects.slice(0, 3)) {
    const activity = writer.add('custom_activity', {
      name: 'Meetings',
      project_id: project.id,
      user_id: project.members[0],
      created: writer.day(-90),
      estimate: 40,
    });
    writer.add('time', {
      project_id: project.id,
      user_id: project.members[0],
      role_id: people.roleOf.get(project.members[0]!),
      custom_activity_id: activity,
      spent: 2,
      remain: 0,
      description: 'Weekly meeting',
      date: writer.midnight(-5),
      create_date: writer.day(-5),
      is_estimation: false,
      custom_values: {},
    });
  }
  writer.add('entity_permission', {
    general_id: work[0]!.id,
    entity_type_id: work[0]!.kind,
    user_id: people.users[0],
    view: true,
    comment: true,
    edit: false,
  });
  writer.add('general_conversion', {
    from_general_id: 900_001,
    from_general_type_id: 17,
    actual_general_id: work.find((item) => item.kind === 4)!.id,
  });
}

function addComments(writer: DemoWriter, item: DemoItem, row: DemoRow): void {
  let parent: number | null = null;
  for (let at = 0; at <= writer.random(3); at += 1) {
    const owner = writer.pick(item.project.members);
    const date = writer.day(Math.min(-1, item.created + 2 + at));
    const id = writer.add('comment', {
      general_id: item.id,
      owner_id: owner,
      description: writer.pick(comments),
      create_date: date,
      parent_id: at > 0 && writer.chance(40) ? parent : null,
      is_private: false,
      is_pinned: false,
    });
    parent = id;
    Object.assign(row, { last_comment_date: date, last_commented_user_id: owner });
  }
}

function addTimes(writer: DemoWriter, item: DemoItem, people: People): void {
  for (let at = 0; at <= writer.random(3); at += 1) {
    writer.add('time', {
      assignable_id: item.id,
      project_id: item.project.id,
      user_id: item.assignee,
      role_id: people.roleOf.get(item.assignee!),
      spent: 1 + writer.random(12) / 2,
      remain: item.progress === 2 ? 0 : writer.random(8),
      description: writer.pick(['refactoring', 'pair programming', 'tests', 'meeting with the customer', null]),
      date: writer.midnight(Math.min(-1, item.created + 3 + at)),
      create_date: writer.day(Math.min(-1, item.created + 3 + at)),
      is_estimation: false,
      custom_values: {},
    });
  }
}

function addRelations(writer: DemoWriter, work: readonly DemoItem[]): void {
  for (let at = 0; at < 60; at += 1) {
    const [master, slave] = [work[at * 7 + 3]!, work[at * 11 + 20]!];
    if (master.id !== slave.id)
      writer.add('relation', { master_id: master.id, slave_id: slave.id, relation_type_id: 1 + (at % 5) });
  }
}

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function addFiles(writer: DemoWriter, work: readonly DemoItem[]): void {
  for (let at = 0; at < 20; at += 1) {
    const image = at % 4 === 0;
    const content = image ? Buffer.from(pixel, 'base64') : Buffer.from(`Notes ${at}: größer & besser\n`);
    writer.add('attachment', {
      name: image ? `picture ${at}.png` : `notes "${at}" ä.txt`,
      unique_file_name: `file-${at}`,
      description: null,
      date: writer.day(-40 + at),
      mime_type: image ? 'image/png' : 'text/plain',
      size: content.length,
      owner_id: writer.pick(work[at * 55]!.project.members),
      general_id: work[at * 55]!.id,
      content: `\\x${content.toString('hex')}`,
    });
  }
}

const historic = new Set([4, 5, 8, 9, 16, 17, 27, 31]);
const forEver = '9999-12-31T23:59:59Z';

/** How an item came to its state: created, started, ended. */
function addHistory(writer: DemoWriter, item: DemoItem, row: DemoRow): void {
  if (!historic.has(item.kind)) return;
  const last = row.entity_state_id as number;
  const moments: [Date, number][] = [[row.create_date as Date, last - item.progress]];
  if (row.start_date) moments.push([row.start_date as Date, item.progress === 2 ? last - 1 : last]);
  if (row.end_date) moments.push([row.end_date as Date, last]);
  for (const [at, [date, state]] of moments.entries()) {
    const shared = {
      entity_type_id: item.kind,
      general_id: item.id,
      date,
      project_id: row.project_id,
      entity_state_id: state,
      modifier_id: row.last_editor_id,
      release_id: row.release_id ?? null,
      iteration_id: row.iteration_id ?? null,
      effort: 0,
      effort_completed: 0,
      effort_to_do: 0,
    };
    writer.add('simple_history', shared);
    writer.add('full_history', {
      ...shared,
      ...unchanged,
      name: row.name,
      source_entity_id: item.id,
      date_to: moments[at + 1]?.[0] ?? forEver,
      modification: at === 0 ? 'Add' : 'Update',
      description: row.description,
      start_date: at > 0 ? row.start_date : null,
      end_date: at > 1 ? row.end_date : null,
      priority_id: row.priority_id,
      owner_id: row.owner_id,
      is_changed_entity_state: at > 0,
      is_changed_start_date: at === 1,
      is_changed_end_date: at === 2,
    });
  }
}

const unchanged = Object.fromEntries(
  ['name', 'description', 'effort', 'project', 'priority', 'release', 'iteration', 'team_iteration', 'owner'].map(
    (field) => [`is_changed_${field}`, false],
  ),
);
