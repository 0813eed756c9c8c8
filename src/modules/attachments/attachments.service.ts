/** Rules of attachments: whose a file is, and which mail brought it, administrators alone may change. */
import { Injectable } from '@nestjs/common';
import type { Change, Work } from '../../command/change.js';
import { forbidden } from '../../errors.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class AttachmentsService extends ResourceService {
  override async beforeSave(changes: readonly Change[], { actor }: Work): Promise<void> {
    if (actor.isAdministrator) return;
    if (changes.some(({ values }) => 'owner' in values || 'message' in values))
      throw forbidden('Only administrators may change the Owner or the Message of an attachment.');
  }
}
