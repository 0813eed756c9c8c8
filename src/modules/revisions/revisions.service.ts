/** Rules of revisions: their files are deleted with them. */
import { Injectable } from '@nestjs/common';
import type { Removal, Work } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class RevisionsService extends ResourceService {
  override async beforeDelete(removals: readonly Removal[], { rows }: Work): Promise<void> {
    if (removals[0]!.resource.name !== 'Revision') return;
    await rows('delete from revision_file where revision_id = any($1::int[])', [removals.map(({ id }) => id)]);
  }
}
