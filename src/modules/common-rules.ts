/**
 * Rules that all kinds share: names that stand for ids before those of the families; custom fields, tags and dates of
 * change behind them; and what follows when entities of different families are joined.
 */
import { Injectable } from '@nestjs/common';
import type { LinkRules, Rules, Work } from '../command/change.js';
import type { Circumstances, Denial, CommonRules as RulesOfAllKinds } from '../command/circumstances.js';
import type { Command } from '../command/command.js';
import { CustomValueRules } from './custom-fields/custom-value-rules.js';
import { TouchRules } from './generals/touch-rules.js';
import { NameRules } from './process/name-rules.js';
import { ProcessCatalogue } from './process/process-catalogue.js';
import { releaseLinks } from './releases/first-project-rules.js';
import { TagRules } from './tags/tag-rules.js';
import { testLinks } from './test-plans/link-rules.js';
import { LinkedPlanRules } from './test-plans/plan-rules.js';

@Injectable()
export class CommonRules implements RulesOfAllKinds {
  readonly before: readonly Rules[];
  readonly behind: readonly Rules[];
  readonly links: LinkRules = {
    linked: testLinks.linked,
    cut: async (table, links, work) => {
      await releaseLinks.cut(table, links, work);
      await testLinks.cut(table, links, work);
    },
  };

  constructor(
    names: NameRules,
    private readonly customValues: CustomValueRules,
    tags: TagRules,
    touch: TouchRules,
    private readonly processes: ProcessCatalogue,
  ) {
    this.before = [names];
    this.behind = [customValues, tags, touch, new LinkedPlanRules()];
  }

  ahead(commands: readonly Command[], work: Circumstances): Promise<void> {
    return this.customValues.ahead(commands, work);
  }

  /** What roles do not allow. */
  async denials(work: Pick<Work, 'rows' | 'setUpVersion'>): Promise<readonly Denial[]> {
    return (await this.processes.setup(work)).denials;
  }
}
