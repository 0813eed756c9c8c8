/** Rules of users: what a new one starts with; passwords are stored as hashes only. */
import { Injectable } from '@nestjs/common';
import { Passwords } from '../../auth/passwords.js';
import { byDefault, type Change } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class UsersService extends ResourceService {
  override async beforeSave(change: Change): Promise<void> {
    if (change.resource.root.name !== 'GeneralUser') return;
    const { values, now } = change;
    values.modifyDate = now;
    if (change.isNew) await newUser(change);
    if (typeof values.password === 'string') values.passwordHash = await Passwords.hash(values.password);
    delete values.password;
  }
}

async function newUser(change: Change): Promise<void> {
  const { values, now } = change;
  values.createDate = now;
  values.kind = change.resource.name;
  if (change.resource.name !== 'User') return;
  byDefault(change, 'availableFrom', new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())));
  const [first] = await change.manager.query('select id from role order by id limit 1');
  byDefault(change, 'role', first && { id: first.id });
}
