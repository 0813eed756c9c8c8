/** Collects what the profile shows, through the read pipeline. */
import { Inject, Injectable } from '@nestjs/common';
import { takeText } from '../bytes/text-bytes.js';
import { type Ask, Reads } from '../http/reads.js';
import type { ApiRequest } from '../http/request.js';
import type { Model } from '../model/model.js';
import { MODEL } from '../model/model.token.js';
import { parseParameters } from '../query/parameters.js';
import { parseQuery } from '../query/v1/parse.js';
import type { Query } from '../query/v1/query.js';
import type { ProfileView } from './profile-view.js';

@Injectable()
export class ProfileReader {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly reads: Reads,
  ) {}

  async read({ actor }: ApiRequest): Promise<ProfileView> {
    const general = await this.one<GeneralUserItem>('GeneralUser', generalQuery, actor);
    const user = general.Kind === 'User' ? await this.one<UserItem>('User', userQuery, actor) : undefined;
    return {
      id: actor.userId,
      name: general.FullName.trim() || general.Login || 'Nameless',
      login: general.Login ?? undefined,
      email: general.Email ?? undefined,
      role: user?.Role?.Name,
      projects: user?.['ProjectMembers-Count'] ?? 0,
      teams: user?.['TeamMembers-Count'] ?? 0,
      isPerson: user !== undefined,
    };
  }

  private async one<T>(resource: string, query: Query, actor: Ask['actor']): Promise<T> {
    const ask = { query: query, actor, format: 'json', dates: 'iso', base: '', tail: '' } as const;
    return JSON.parse(takeText((await this.reads.one(this.model.resource(resource), actor.userId, ask)).text));
  }
}

// One object each, since statements are kept with the query they were made from.
const queryOf = (text: string): Query => parseQuery(parseParameters(text));
const generalQuery = queryOf('include=[FullName,Login,Email,Kind]');
const userQuery = queryOf('include=[Role[Name]]&append=[ProjectMembers-Count,TeamMembers-Count]');

interface GeneralUserItem {
  FullName: string;
  Login: string | null;
  Email: string | null;
  Kind: string;
}

interface UserItem {
  Role: { Name: string } | null;
  'ProjectMembers-Count': number;
  'TeamMembers-Count': number;
}
