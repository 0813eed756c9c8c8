/** What follows when tests are joined with other things, or separated from them, whichever side is written. */
import type { Link, LinkRules, Work } from '../../command/change.js';
import { refuseCircles } from './plan-rules.js';
import { runNewCases } from './plan-run-rules.js';
import { hideBugs, showBugs } from './run-bug-rules.js';

type Follow = (links: readonly Link[], work: Work) => Promise<void>;

const pairs = (links: readonly Link[], from: string, to: string): [number, number][] =>
  links.map(({ ids }) => [ids[from]!, ids[to]!]);

/** By table of links. */
const linked: Record<string, Follow | undefined> = {
  test_plan_test_case: (links, work) => runNewCases(pairs(links, 'test_plan_id', 'test_case_id'), work),
  test_case_run_bug: (links, work) => showBugs(pairs(links, 'test_case_run_id', 'bug_id'), work),
  test_plan_hierarchy: (links, work) =>
    refuseCircles(
      links.map(({ change, member, ids }) => ({
        change: change!,
        member: member!,
        parent: ids.parent_id!,
        child: ids.child_id!,
      })),
      work,
    ),
};

const cut: Record<string, Follow | undefined> = {
  test_case_run_bug: (links, work) => hideBugs(pairs(links, 'test_case_run_id', 'bug_id'), work),
};

export const testLinks: LinkRules = {
  linked: async (table, links, work) => linked[table]?.(links, work),
  cut: async (table, links, work) => cut[table]?.(links, work),
};
