/** Rules of revisions: their files are deleted with them. */
import { Injectable } from '@nestjs/common';
import type { Removal, Work } from '../../command/change.js';
import { takeAlong } from '../../command/take-along.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class RevisionsService extends ResourceService {
  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    if (removals[0]!.resource.name !== 'Revision') return;
    await takeAlong(
      this.model.resource('RevisionFile'),
      'revision',
      removals.map(({ id }) => id),
      work,
    );
  }
}
