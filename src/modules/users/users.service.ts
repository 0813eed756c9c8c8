/** Rules of users and requesters. Who a caller is acts at once here, and within a second on other replicas. */
import { Inject, Injectable } from '@nestjs/common';
import { Actors } from '../../auth/actors.js';
import type { Change, Removal, Restoral, Work } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';
import { ProcessCatalogue } from '../process/process-catalogue.js';
import { keepAdministrator, refuseOwnDeactivation, removeUsers } from './administrator-rules.js';
import { loginRules, refuseLoginsBeside, refuseTakenLogins } from './login-rules.js';
import { hashPasswords, refuseSystem, systemStays, userRules } from './user-rules.js';

@Injectable()
export class UsersService extends ResourceService {
  @Inject(ProcessCatalogue) private readonly processes!: ProcessCatalogue;
  @Inject(Actors) private readonly actors!: Actors;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    refuseSystem(changes);
    userRules(changes, (await this.processes.setup(work)).roles[0]?.id);
    await loginRules(changes, work);
    await keepAdministrator(changes, work);
    refuseOwnDeactivation(changes, work);
    await hashPasswords(changes, work);
    await refuseLoginsBeside(changes, work);
  }

  override async afterSave(_changes: readonly Change[], work: Work): Promise<void> {
    this.forget(work);
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    if (removals[0]!.resource.name === 'GeneralUser') throw systemStays();
    await removeUsers(removals, work);
  }

  override async afterDelete(_removals: readonly Removal[], work: Work): Promise<void> {
    this.forget(work);
  }

  override async beforeRestore(restorals: readonly Restoral[], work: Work): Promise<void> {
    await refuseTakenLogins(restorals, work);
  }

  override async afterRestore(restorals: readonly Restoral[], work: Work): Promise<void> {
    const ids = restorals.map(({ id }) => id);
    // Whoever kept a token of somebody who was gone may not be who should have it now.
    for (const text of [renewTokens, endAccessTokens]) await work.rows(text, [ids]);
    this.forget(work);
  }

  private forget(work: Work): void {
    work.afterCommit(() => this.actors.forget());
  }
}

const endAccessTokens = 'delete from access_token where user_id = any($1::bigint[])';

const renewTokens = 'update general_user set token_version = token_version + 1 where id = any($1::bigint[])';
