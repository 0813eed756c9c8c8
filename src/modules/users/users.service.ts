/** Rules of users: what a new one starts with; passwords are stored as hashes only. */
import { Inject, Injectable } from '@nestjs/common';
import { Passwords } from '../../auth/passwords.js';
import { byDefault, type Change, refersTo, type Work } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import { firstSecond } from '../generals/general-rules.js';
import { ProcessCatalogue } from '../process/process-catalogue.js';

@Injectable()
export class UsersService extends ResourceService {
  @Inject(ProcessCatalogue) private readonly processes!: ProcessCatalogue;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    if (changes[0]!.resource.root.name !== 'GeneralUser') return;
    const setup = await this.processes.setup();
    for (const change of changes) {
      if (change.isNew) newUser(change, setup.roles[0]?.id);
      const { values } = change;
      if (typeof values.password === 'string') values.passwordHash = await Passwords.hash(values.password);
      delete values.password;
    }
    void work;
  }
}

function newUser(change: Change, firstRole: number | undefined): void {
  const { values, now, timeZone, resource } = change;
  values.createDate = now;
  if (resource.name !== 'User') return;
  byDefault(change, 'availableFrom', firstSecond(now, timeZone));
  byDefault(change, 'role', refersTo(firstRole));
}
