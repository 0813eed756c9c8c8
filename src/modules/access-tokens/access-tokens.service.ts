/** Rules of access tokens: made one at a time by whoever they are for, and shown in that answer alone. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import { newToken } from '../../auth/access-tokens.js';
import { Actors } from '../../auth/actors.js';
import { Settings } from '../../auth/settings.js';
import type { Change, Removal, Work } from '../../command/change.js';
import type { Saved } from '../../http/answer.js';
import { Item } from '../../http/answer.js';
import type { ApiRequest } from '../../http/request.js';
import { ResourceService } from '../../http/resource.service.js';
import type { ResourceType } from '../../model/model.js';
import { accessTokenRules, type Making } from './access-token-rules.js';
import { withoutToken, withToken } from './with-token.js';

@Injectable()
export class AccessTokensService extends ResourceService {
  @Inject(Actors) private readonly actors!: Actors;
  @Inject(Settings) private readonly settings!: Settings;
  /** What the request under way creates: the rules store its hash, the answer tells it. */
  private readonly making = new AsyncLocalStorage<Making>();
  /** Requests that create one. */
  private underWay = 0;

  override async save(resource: ResourceType, id: string | undefined, request: ApiRequest): Promise<Saved> {
    // Asked for here: within the transaction it would wait for a connection while holding one.
    const { accessTokenLimit: limit } = await this.settings.current();
    const making: Making = { ...newToken(request.actor.userId), limit, isStored: false };
    const saved = await this.whileMaking(making, () => super.save(resource, id, request));
    const { answer } = saved;
    if (!(answer instanceof Item)) return saved;
    if (making.isStored) return { ...saved, answer: withToken(answer, making.token, request.format!.name) };
    // Given again to a key that was used before: nobody knows the token any more.
    return saved.created ? { ...saved, answer: withoutToken(answer) } : saved;
  }

  /** While there is something to remember, every promise of the process costs more: a sixth of a request in Node 20. */
  private async whileMaking<T>(making: Making, save: () => Promise<T>): Promise<T> {
    this.underWay += 1;
    try {
      return await this.making.run(making, save);
    } finally {
      this.underWay -= 1;
      if (this.underWay === 0) this.making.disable();
    }
  }

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    await accessTokenRules(changes, this.making.getStore(), work);
  }

  override async afterDelete(_removals: readonly Removal[], work: Work): Promise<void> {
    work.afterCommit(() => this.actors.forget());
  }
}
