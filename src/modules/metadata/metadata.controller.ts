/** `/api/v1/{Entities}/meta`, `/api/v1/Index/meta` and `/api/v1/meta`: the model, told to clients. */
import { Controller, Get, Inject, Param, Req } from '@nestjs/common';
import { unknownCollection } from '../../errors.js';
import { Item } from '../../http/answer.js';
import { BaseAddress } from '../../http/base-address.js';
import type { ApiRequest } from '../../http/request.js';
import type { Model } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { describe, listed } from './describe.js';
import { jsonDescription, xmlDescription, xmlIndex } from './spell.js';

@Controller('api/v1')
export class MetadataController {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly base: BaseAddress,
  ) {}

  @Get('Index/meta')
  index(@Req() request: ApiRequest): Item {
    const base = this.base.of(request);
    const indexUri = `${base}/api/v1/Index/meta`;
    const entries = listed(this.model).map((resource) => {
      const { Name, Uri, Description } = describe(resource, base);
      return { Name, Uri, Description };
    });
    if (request.format!.name === 'json') return new Item(JSON.stringify({ IndexUri: indexUri, Items: entries }));
    return new Item(xmlIndex(indexUri, entries));
  }

  /** Every description at once. */
  @Get('meta')
  all(@Req() request: ApiRequest): Item {
    const described = listed(this.model).map((resource) => describe(resource, this.base.of(request)));
    if (request.format!.name === 'json') return new Item(JSON.stringify({ Items: described.map(jsonDescription) }));
    return this.index(request);
  }

  @Get(':collection/meta')
  one(@Param('collection') collection: string, @Req() request: ApiRequest): Item {
    const resource = this.model.collection(collection);
    if (!resource) throw unknownCollection(collection);
    const described = describe(resource, this.base.of(request));
    if (request.format!.name === 'json') return new Item(JSON.stringify(jsonDescription(described)));
    return new Item(xmlDescription(described));
  }
}
