/** Rules of process configuration: what a state takes from its workflow. */
import { Injectable } from '@nestjs/common';
import { type Change, referenced } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class ProcessService extends ResourceService {
  override async beforeSave(change: Change): Promise<void> {
    const workflow = change.resource.name === 'EntityState' ? referenced(change, 'workflow') : undefined;
    if (workflow === undefined) return;
    const [row] = await change.manager.query('select process_id, entity_type_id from workflow where id = $1', [
      workflow,
    ]);
    change.values.process = { id: row.process_id };
    change.values.entityType = { id: row.entity_type_id };
  }

  /** A new state comes where its id puts it. */
  override async afterSave(change: Change): Promise<void> {
    if (change.resource.name !== 'EntityState' || !change.isNew) return;
    await change.manager.query('update entity_state set numeric_priority = id where id = $1', [change.id]);
  }
}
