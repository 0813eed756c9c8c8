/** The rules that administrators switch on and off: a task that starts or ends moves its user story. */
import { type Change, commandFor, current, type Work } from '../../command/change.js';
import type { ResourceType } from '../../model/model.js';
import type { ProcessSetup, State } from './process-setup.js';

/** The ids of the rows of CustomRules. */
const rules = { start: 1, close: 2 } as const;

interface Story {
  id: number;
  state: number;
  states: (number | null)[];
}

export async function customRules(changes: readonly Change[], story: ResourceType, setup: ProcessSetup, work: Work) {
  const moves = Object.values(rules).filter((rule) => setup.isRuleEnabled(rule));
  const tasks = changes.filter(({ resource, values }) => resource.name === 'Task' && values.entityState);
  if (moves.length === 0 || tasks.length === 0) return;
  const owners = [tasks.map((task) => current(task, 'userStory'))];
  // Of two who each close one of the last tasks, the later one sees what the earlier one did. Tasks are locked before
  // stories.
  await work.rows(lockStories, owners);
  const stories = await work.rows<Story>(storiesOf, owners);
  const commands = stories.flatMap(({ id, state, states }) => {
    const next = nextState(setup, state, states);
    return next ? [commandFor(story, '', { EntityState: next.id }, id)] : [];
  });
  if (commands.length > 0) await work.apply(commands);
}

/** Where a story goes whose tasks are in these states; undefined where it stays. */
export function nextState(setup: ProcessSetup, state: number, tasks: readonly (number | null)[]): State | undefined {
  const own = setup.state(state);
  if (!own || own.isFinal) return undefined;
  const all = setup.states(own.process, own.kind);
  const isClosed = tasks.every((task) => setup.isFinal(task ?? undefined));
  if (isClosed && setup.isRuleEnabled(rules.close)) return finalByDefault(all);
  const isStarted = tasks.some((task) => task !== null && !setup.state(task)?.isInitial);
  if (!own.isInitial || !isStarted || !setup.isRuleEnabled(rules.start)) return undefined;
  return all.find(({ isInitial, isFinal }) => !isInitial && !isFinal);
}

const finalByDefault = (states: readonly State[]): State | undefined => {
  const finals = states.filter(({ isFinal }) => isFinal);
  return finals.find(({ isDefaultFinal }) => isDefaultFinal) ?? finals[0];
};

const lockStories = `select id from general where id = any($1::bigint[]) order by id for no key update`;

const storiesOf = `select s.id, s.entity_state_id as state, array_agg(t.entity_state_id) as states
  from general s join general t on t.user_story_id = s.id and t.entity_type_id = 5 and t.delete_date is null
  where s.id = any($1::bigint[]) and s.delete_date is null group by s.id order by s.id`;
