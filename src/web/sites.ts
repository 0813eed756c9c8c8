/** Puts together what the frame of a page needs to know, for the request it answers. */
import { Injectable } from '@nestjs/common';
import { BaseAddress } from '../http/base-address.js';
import type { ApiRequest } from '../http/request.js';
import { assets } from './assets.js';
import type { Site } from './page.js';
import { siteRoot } from './site-root.js';
import { stranger, type Viewer } from './viewer.js';
import { Viewers } from './viewers.js';

@Injectable()
export class Sites {
  constructor(
    private readonly base: BaseAddress,
    private readonly viewers: Viewers,
  ) {}

  async of(request: ApiRequest): Promise<Site> {
    return this.siteFor(await this.viewers.of(request), request);
  }

  /** For a page that greets nobody. */
  ofStranger(request: ApiRequest): Promise<Site> {
    return this.siteFor(stranger, request);
  }

  /** Where to log in to see what was asked for. */
  loginFor(request: ApiRequest): string {
    return `${siteRoot(this.base, request)}/login?next=${encodeURIComponent(request.raw.url ?? '/')}`;
  }

  /** The address that clients elsewhere reach the service at. */
  baseOf(request: ApiRequest): string {
    return this.base.of(request);
  }

  private async siteFor(viewer: Viewer, request: ApiRequest): Promise<Site> {
    const root = siteRoot(this.base, request);
    const { hash, importsOf } = await assets();
    return { root, assets: `${root}/assets/${hash}`, importsOf, viewer };
  }
}
