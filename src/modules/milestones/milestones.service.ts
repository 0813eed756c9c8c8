/** Rules of milestones: they lie above projects, so administrators write them and say which projects they concern. */
import { Injectable } from '@nestjs/common';
import type { Change, Removal, Work } from '../../command/change.js';
import { onlyAdministrators } from '../../errors.js';
import { GeneralsService } from '../generals/generals.service.js';

@Injectable()
export class MilestonesService extends GeneralsService {
  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    if (!work.actor.isAdministrator && changes.some(isWritten)) throw othersOnly();
    await super.beforeSave(changes, work);
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    if (!work.actor.isAdministrator) throw othersOnly();
    await super.beforeDelete(removals, work);
  }
}

const othersOnly = () => onlyAdministrators('change Milestones');

/** What is sent back as it was is no change; nor is what hangs on a milestone, which has rules of its own. */
const isWritten = ({ isNew, values, command }: Change): boolean =>
  isNew || Object.keys(values).length > 0 || command.tags !== undefined;
