/** Rules of messages: they are dated when they are created. */
import { Injectable } from '@nestjs/common';
import { byDefault, type Change } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class MessagesService extends ResourceService {
  override async beforeSave(changes: readonly Change[]): Promise<void> {
    for (const change of changes) {
      if (change.isNew && change.resource.field('CreateDate')) byDefault(change, 'createDate', change.now);
    }
  }
}
