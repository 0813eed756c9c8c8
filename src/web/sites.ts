/** Puts together what the frame of a page needs to know, for the request it answers. */
import { Injectable } from '@nestjs/common';
import { BaseAddress } from '../http/base-address.js';
import type { ApiRequest } from '../http/request.js';
import { assets } from './assets.js';
import type { Site } from './page.js';
import { anonymousViewer, type Viewer } from './viewer.js';
import { Viewers } from './viewers.js';

@Injectable()
export class Sites {
  constructor(
    private readonly base: BaseAddress,
    private readonly viewers: Viewers,
  ) {}

  async of(request: ApiRequest): Promise<Site> {
    return this.siteFor(await this.viewers.of(request));
  }

  /** For a page that greets nobody. */
  ofStranger(): Promise<Site> {
    return this.siteFor(anonymousViewer);
  }

  /** Where to log in to see what was asked for. */
  loginFor(request: ApiRequest): string {
    return `${this.base.root}/login?next=${encodeURIComponent(request.raw.url ?? '/')}`;
  }

  /** The address that clients elsewhere reach the service at. */
  baseOf(request: ApiRequest): string {
    return this.base.of(request);
  }

  private async siteFor(viewer: Viewer): Promise<Site> {
    const { root } = this.base;
    const { hash, importsOf } = await assets();
    return { root, assets: `${root}/assets/${hash}`, importsOf, viewer };
  }
}
