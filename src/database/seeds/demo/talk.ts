/** Comments, times, tags, relations, followers, attachments, permissions, conversions, activities and histories. */

import { addHistory } from './history.js';
import type { DemoItem } from './item.js';
import type { People } from './people.js';
import type { DemoPlan } from './plan.js';
import { comments, tags } from './words.js';
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
    if (item.assignee !== undefined && item.progress > 0 && timed(item)) addTimes(writer, item, people);
    for (const tag of new Set(writer.chance(35) ? [writer.pick(tagIds), writer.pick(tagIds)] : []))
      writer.link('general_tag', { general_id: item.id, tag_id: tag });
    if (writer.chance(10))
      writer.add('general_follower', { general_id: item.id, user_id: writer.pick(item.project.members) });
    addHistory(writer, item, row);
  }
  addRelations(writer, work);
  addFiles(writer, work);
  for (const project of plan.projects.filter((one) => one.words.process !== 2 && !one.deleted).slice(0, 3)) {
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
  for (const [at, item] of [work[0]!, work[40]!, work[80]!].entries()) {
    writer.add('entity_permission', {
      general_id: item.id,
      entity_type_id: item.kind,
      user_id: people.users[at],
      view: true,
      comment: at < 2,
      edit: at === 1,
    });
  }
  writer.add('general_conversion', {
    from_general_id: 900_001,
    from_general_type_id: 17,
    actual_general_id: work.find((item) => item.kind === 4)!.id,
  });
}

/** Kanban keeps no time. */
const timed = ({ kind, project }: DemoItem): boolean => project.words.process !== 2 && [4, 5, 8, 17].includes(kind);

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
      is_private: writer.chance(5),
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
