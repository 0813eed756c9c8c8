/** Rules of process configuration: processes, workflows, states, priorities, severities and kinds of requests. */
import { Inject, Injectable } from '@nestjs/common';
import type { Change, Removal, Work } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import type { Model } from '../../model/model.js';
import { Catalogue } from '../custom-fields/catalogue.js';
import { keepDefaultProcess, takeDefault } from './default-rules.js';
import { refuseUsed } from './in-use-rules.js';
import { priorityRules } from './priority-rules.js';
import { ProcessCatalogue } from './process-catalogue.js';
import { completeProcesses, removeProcesses } from './process-rules.js';
import { joinStates, removeStates, stateRules } from './state-rules.js';
import { removeWorkflows, workflowDefinitionRules } from './workflow-definition-rules.js';

@Injectable()
export class ProcessService extends ResourceService {
  @Inject(ProcessCatalogue) private readonly processes!: ProcessCatalogue;
  @Inject(Catalogue) private readonly customFields!: Catalogue;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    const { defaultProcess } = await this.processes.setup(work);
    await before[changes[0]!.resource.name]?.(changes, work, { model: this.model, defaultProcess });
  }

  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    const kind = changes[0]!.resource.name;
    if (kind === 'EntityState') await joinStates(changes, work);
    // A new process may be the default one itself by now; what it starts from was the default before.
    if (kind === 'Process') await completeProcesses(changes, work, (await this.processes.setup(work)).defaultProcess);
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    await (removing[removals[0]!.resource.name] ?? refuseUsed)(removals, work, this.model);
  }

  override async afterDelete(removals: readonly Removal[], work: Work): Promise<void> {
    if (removals[0]!.resource.name === 'Process') work.afterCommit(() => this.customFields.reload());
  }
}

interface ProcessFacts {
  model: Model;
  defaultProcess: number | undefined;
}

const before: Record<
  string,
  ((changes: readonly Change[], work: Work, setup: ProcessFacts) => Promise<void>) | undefined
> = {
  Process: async (changes, work) => {
    keepDefaultProcess(changes);
    await takeDefault(changes, work);
  },
  Workflow: (changes, work, { model }) => workflowDefinitionRules(changes, work, model),
  EntityState: (changes, work, { defaultProcess }) => stateRules(changes, work, defaultProcess),
  Priority: (changes, work, { model }) => priorityRules(changes, work, model),
  Severity: takeDefault,
};

type Removing = (removals: readonly Removal[], work: Work, model: Model) => Promise<void>;

const removing: Record<string, Removing | undefined> = {
  Process: removeProcesses,
  Workflow: removeWorkflows,
  EntityState: removeStates,
};
