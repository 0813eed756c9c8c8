/** Rules of milestones: they lie above projects, so administrators write them and say which projects they concern. */
import { Injectable } from '@nestjs/common';
import type { Change, Removal, Work } from '../../command/change.js';
import { forbidden } from '../../errors.js';
import type { Deleted } from '../../http/answer.js';
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

  /** Projects are only linked: no rules are asked when a link is cut. */
  override async deleteInner(...asked: Parameters<GeneralsService['deleteInner']>): Promise<Deleted> {
    const request = asked[4];
    if (!request.actor.isAdministrator) throw othersOnly();
    return super.deleteInner(...asked);
  }
}

const othersOnly = () => forbidden('Only administrators may change Milestones.');

/** What is sent back as it was is no change. */
const isWritten = ({ isNew, values, command }: Change): boolean =>
  isNew || Object.keys(values).length > 0 || command.isCarrier === true || command.tags !== undefined;
