/** Rules of time records: whose, when, and for which project. */
import { Injectable } from '@nestjs/common';
import { byDefault, type Change, referenced } from '../../command/change.js';
import { zonedInstant } from '../../command/zoned-instant.js';
import { badMember } from '../../errors.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class TimesService extends ResourceService {
  override async beforeSave(change: Change): Promise<void> {
    const { values, now, actor } = change;
    if (!change.isNew) return;
    if (change.resource.name === 'CustomActivity') {
      values.created = now;
      byDefault(change, 'user', { id: actor.userId });
      return;
    }
    values.createDate = now;
    byDefault(change, 'user', { id: actor.userId });
    byDefault(change, 'date', today(change));
    const assignable = referenced(change, 'assignable');
    if (assignable !== undefined) {
      const [row] = await change.manager.query('select project_id from general where id = $1', [assignable]);
      if (row?.project_id) values.project = { id: row.project_id };
    }
    if (!values.project && !values.assignable) throw badMember('Assignable', 'an Assignable or a Project is required.');
  }
}

/** Midnight of today in the zone of the service. */
function today({ now, timeZone }: Change): Date {
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now);
  return zonedInstant(`${day} 00:00:00`, timeZone);
}
