/** Rules of process configuration: what a state takes from its workflow. */
import { Inject, Injectable } from '@nestjs/common';
import { type Change, type Removal, referenced, type Work } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import { ProcessCatalogue } from './process-catalogue.js';

@Injectable()
export class ProcessService extends ResourceService {
  @Inject(ProcessCatalogue) private readonly processes!: ProcessCatalogue;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    if (changes[0]!.resource.name !== 'EntityState') return;
    const workflows = changes.map((change) => referenced(change, 'workflow') ?? 0);
    const rows = await work.rows<{ id: number; process_id: number; entity_type_id: number }>(
      'select id, process_id, entity_type_id from workflow where id = any($1::int[])',
      [workflows],
    );
    changes.forEach((change, at) => {
      const workflow = rows.find(({ id }) => id === workflows[at]);
      if (!workflow) return;
      change.values.process = { id: workflow.process_id };
      change.values.entityType = { id: workflow.entity_type_id };
    });
  }

  /** A new state comes where its id puts it. */
  override async afterSave(changes: readonly Change[], work: Work): Promise<void> {
    work.afterCommit(() => this.processes.forget());
    if (changes[0]!.resource.name !== 'EntityState') return;
    const created = changes.filter(({ isNew }) => isNew).map(({ id }) => id);
    if (created.length > 0) await work.rows('update entity_state set numeric_priority = id where id = any($1::int[])', [created]);
  }

  override async afterDelete(_removals: readonly Removal[], work: Work): Promise<void> {
    work.afterCommit(() => this.processes.forget());
  }
}
