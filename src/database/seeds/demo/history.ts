/** How each item came to its state, as the triggers would have recorded it. */
import type { DemoItem } from './item.js';
import type { DemoRow, DemoWriter } from './writer.js';

export function addHistory(writer: DemoWriter, item: DemoItem, row: DemoRow): void {
  for (const [at, { date, state }] of item.moments.entries()) {
    const isEnd = item.progress === 2 && at === item.moments.length - 1;
    const shared = {
      entity_type_id: item.kind,
      general_id: item.id,
      date,
      project_id: row.project_id,
      entity_state_id: state,
      modifier_id: at === 0 ? row.owner_id : writer.pick(item.project.members),
      release_id: row.release_id ?? null,
      iteration_id: row.iteration_id ?? null,
    };
    writer.add('simple_history', shared);
    writer.add('full_history', {
      ...shared,
      ...flags({ entity_state: at > 0, start_date: at === 1, end_date: isEnd }),
      name: row.name,
      source_entity_id: item.id,
      date_to: item.moments[at + 1]?.date ?? forEver,
      modification: at === 0 ? 'Add' : 'Update',
      description: row.description,
      start_date: at > 0 ? row.start_date : null,
      end_date: isEnd ? row.end_date : null,
      priority_id: row.priority_id,
      team_iteration_id: row.team_iteration_id ?? null,
      owner_id: row.owner_id,
      ...Object.fromEntries(asInItem.map((column) => [column, row[column] ?? null])),
    });
  }
}

// Without a zone, for the session to read it in its own, as the triggers do.
const forEver = '9999-12-31 23:59:59';

/** Taken over from the item, as it is. */
const asInItem = [
  ...['planned_start_date', 'planned_end_date', 'initial_estimate', 'severity_id', 'build_id'],
  ...['portfolio_epic_id', 'epic_id', 'feature_id', 'user_story_id'],
];

const flagged = [
  'name',
  'description',
  'start_date',
  'end_date',
  'effort',
  'project',
  'entity_state',
  'priority',
  'release',
  'iteration',
  'team_iteration',
  'owner',
];

const flags = (raised: Record<string, boolean>): DemoRow =>
  Object.fromEntries(flagged.map((field) => [`is_changed_${field}`, raised[field] ?? false]));
