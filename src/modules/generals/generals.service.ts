/** Rules of Generals that have no others, and of the base types, through which any kind can be changed. */
import { Injectable } from '@nestjs/common';
import type { Change } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import { generalDefaults } from './general-rules.js';

@Injectable()
export class GeneralsService extends ResourceService {
  override async beforeSave(change: Change): Promise<void> {
    if (change.resource.root.name === 'General') await generalDefaults(change);
  }
}
