/** Rules of the settings: one row, for administrators alone, which the service itself follows within a second. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../../actor.js';
import { Actors } from '../../auth/actors.js';
import { Settings } from '../../auth/settings.js';
import type { Change, Work } from '../../command/change.js';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { onlyAdministrators } from '../../errors.js';
import type { Item, Page, Saved } from '../../http/answer.js';
import type { ApiRequest } from '../../http/request.js';
import { ResourceService } from '../../http/resource.service.js';
import type { ResourceType } from '../../model/model.js';
import { settingsRules } from './settings-rules.js';

const only = '1';

@Injectable()
export class SettingsService extends ResourceService {
  @Inject(CONFIG) private readonly config!: Config;
  @Inject(Settings) private readonly settings!: Settings;
  @Inject(Actors) private readonly actors!: Actors;

  override page(resource: ResourceType, request: ApiRequest): Promise<Page> {
    permit(request.actor);
    return super.page(resource, request);
  }

  override one(resource: ResourceType, id: string, request: ApiRequest): Promise<Item> {
    permit(request.actor);
    return super.one(resource, id, request);
  }

  /** There is but one row, so that nobody needs to name it. */
  override save(resource: ResourceType, id: string | undefined, request: ApiRequest): Promise<Saved> {
    permit(request.actor);
    return super.save(resource, id ?? only, request);
  }

  override saveAll(resource: ResourceType, request: ApiRequest): Promise<Saved> {
    permit(request.actor);
    return super.saveAll(resource, request);
  }

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    await settingsRules(changes, this.config.singleSignOn !== undefined, work);
    work.afterCommit(() => {
      this.settings.forget();
      this.actors.forget();
    });
  }
}

function permit({ isAdministrator }: Actor): void {
  if (!isAdministrator) throw onlyAdministrators('see and change GlobalSettings');
}
