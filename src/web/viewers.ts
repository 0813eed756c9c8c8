/** Finds out who looks at a page, and reads the name that the frame greets with. */
import { Inject, Injectable } from '@nestjs/common';
import type { Actor } from '../actor.js';
import { Authenticator } from '../auth/authenticator.js';
import { ApiError } from '../errors.js';
import { Reads } from '../http/reads.js';
import type { ApiRequest } from '../http/request.js';
import type { Model } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { parseParameters } from '../query/parameters.js';
import { parseQuery } from '../query/v1/parse.js';
import { anonymousViewer, type Viewer } from './viewer.js';

@Injectable()
export class Viewers {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly reads: Reads,
    private readonly authenticator: Authenticator,
  ) {}

  /**
   * Of a request that the guard let through: its caller. Of one to a public page: whoever its credentials are of, if
   * anybody.
   */
  async of(request: ApiRequest): Promise<Viewer> {
    const actor = (request.actor as Actor | undefined) ?? (await this.callerOf(request));
    if (!actor) return anonymousViewer;
    return { id: actor.userId, ...(await this.named(actor)), isAdministrator: actor.isAdministrator, isSignedIn: true };
  }

  /** A public page is shown whatever is wrong with the credentials; only a fault of the service is one here too. */
  private async callerOf(request: ApiRequest): Promise<Actor | undefined> {
    try {
      return await this.authenticator.authenticate(request);
    } catch (error) {
      if (error instanceof ApiError && error.httpStatus < 500) return undefined;
      throw error;
    }
  }

  private async named(actor: Actor): Promise<Pick<Viewer, 'name' | 'login'>> {
    const ask = { query: nameQuery, actor, format: 'json', dates: 'iso', base: '', tail: '' } as const;
    const [text] = await this.reads.many(this.model.person, [actor.userId], ask);
    if (text === undefined) return {};
    const { FullName, Login } = JSON.parse(text) as { FullName: string; Login: string };
    return { name: FullName.trim() || Login, login: Login };
  }
}

// One object, since statements are kept with the query they were made from.
const nameQuery = parseQuery(parseParameters('include=[FullName,Login]'));
