/** Rules of comments: who said it and when; the entity remembers the last one. */
import { Injectable } from '@nestjs/common';
import { byDefault, type Change, referenced } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class CommentsService extends ResourceService {
  override async beforeSave(change: Change): Promise<void> {
    const { values, now, actor } = change;
    if (!change.isNew) {
      if (values.description !== undefined) values.descriptionModifyDate = now;
      return;
    }
    values.createDate = now;
    // Only administrators speak for others.
    if (actor.isAdministrator) byDefault(change, 'owner', { id: actor.userId });
    else values.owner = { id: actor.userId };
  }

  override async afterSave(change: Change): Promise<void> {
    if (!change.isNew) return;
    const owner = referenced(change, 'owner');
    await change.manager.query('update general set last_comment_date = $1, last_commented_user_id = $2 where id = $3', [
      change.now,
      owner,
      referenced(change, 'general'),
    ]);
  }
}
