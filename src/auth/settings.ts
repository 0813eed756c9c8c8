/** The settings of administrators as the service itself follows them, at most a second old. */
import { Inject, Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import type { Config } from '../config/config.js';
import { PRIMARY_POOL } from '../database/pools.js';
import { mostAgeMs } from '../runtime/freshness.js';
import { TtlCache } from './ttl-cache.js';

export interface CurrentSettings {
  readonly isLoginFormEnabled: boolean;
  readonly accessTokenLimit: number;
  readonly companyName: string | null;
  readonly defaultRichEditor: Config['defaultRichEditor'] | null;
}

@Injectable()
export class Settings {
  private readonly kept = new TtlCache<'settings', CurrentSettings>({ entries: 1, milliseconds: mostAgeMs });

  constructor(@Inject(PRIMARY_POOL) private readonly pool: Pool) {}

  async current(): Promise<CurrentSettings> {
    const settings = this.kept.get('settings') ?? (await this.kept.load('settings', () => this.ask()));
    if (!settings) throw new Error('the row of settings is gone');
    return settings;
  }

  forget(): void {
    this.kept.clear();
  }

  private async ask(): Promise<CurrentSettings | undefined> {
    const { rows } = await this.pool.query<CurrentSettings>(`
      select is_login_form_enabled as "isLoginFormEnabled", access_token_limit as "accessTokenLimit",
        company_name as "companyName", default_rich_editor as "defaultRichEditor"
      from global_settings where id = 1`);
    return rows[0];
  }
}
