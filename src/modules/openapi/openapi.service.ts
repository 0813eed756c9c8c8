/** The OpenAPI document as bytes: made at the first request, the same until the service ends. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../../config/config.js';
import { CONFIG } from '../../config/config.token.js';
import { BaseAddress } from '../../http/base-address.js';
import type { Model } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { installation } from '../../runtime/installation.js';
import { type OpenApiDocument, openApiDocument } from './document.js';
import type { Examples } from './openapi-types.js';

export type { OpenApiDocument } from './document.js';
export type { Method, Operation, Parameter, Reference, Schema } from './openapi-types.js';

interface Made {
  readonly document: OpenApiDocument;
  readonly bytes: Buffer;
  readonly tag: string;
}

@Injectable()
export class OpenApiService {
  private making: Promise<Made> | undefined;

  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly base: BaseAddress,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  made(): Promise<Made> {
    this.making ??= this.make();
    return this.making;
  }

  private async make(): Promise<Made> {
    const place = { root: this.base.root, bulkLimit: this.config.bulkLimit };
    const document = openApiDocument(this.model, place, await storedExamples());
    const bytes = Buffer.from(JSON.stringify(document));
    const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
    return { document, bytes, tag };
  }
}

/** Real answers of the demonstration data; a test keeps them as they are. */
export const examplesFile = new URL('docs/openapi-examples.json', installation);

/** An installation without the file has no examples. */
async function storedExamples(): Promise<Examples> {
  try {
    return JSON.parse(await readFile(examplesFile, 'utf8')) as Examples;
  } catch {
    return {};
  }
}
