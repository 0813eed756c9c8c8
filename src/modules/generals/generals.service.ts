/** Rules of Generals that have no others: dates and people; what follows a deletion. */
import { Inject, Injectable } from '@nestjs/common';
import type { Change, Work } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import { ProcessCatalogue } from '../process/process-catalogue.js';
import { generalDefaults, lieWithOwner, refuseEndBeforeStart } from './general-rules.js';
import { permissionRules } from './permission-rules.js';

@Injectable()
export class GeneralsService extends ResourceService {
  @Inject(ProcessCatalogue) protected readonly processes!: ProcessCatalogue;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    const generals = changes.filter(({ resource }) => resource.isGeneral);
    for (const change of generals) lieWithOwner(change, work);
    generalDefaults(generals);
    for (const change of generals) refuseEndBeforeStart(change);
    if (changes[0]!.resource.name === 'EntityPermission') await permissionRules(changes, work, this.model);
  }
}
