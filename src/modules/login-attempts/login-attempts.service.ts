/** Rules of login attempts: administrators see them, and unlock a login by deleting its own. */
import { Inject, Injectable } from '@nestjs/common';
import { Actors } from '../../auth/actors.js';
import type { Removal, Work } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class LoginAttemptsService extends ResourceService {
  @Inject(Actors) private readonly actors!: Actors;

  override async afterDelete(_removals: readonly Removal[], work: Work): Promise<void> {
    work.afterCommit(() => this.actors.forget());
  }
}
