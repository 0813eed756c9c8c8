/** `/api/v1/{Entities}/meta`, `/api/v1/Index/meta` and `/api/v1/meta`: the model, as clients read it. */
import { Controller, Get, Header, Inject, Param, Req } from '@nestjs/common';
import { unknownCollection } from '../../errors.js';
import { Item } from '../../http/answer.js';
import { BaseAddress } from '../../http/base-address.js';
import type { ApiRequest } from '../../http/request.js';
import { ServedNames } from '../../http/served-names.js';
import type { Model } from '../../model/model.js';
import { MODEL } from '../../model/model.token.js';
import { contextDescription, partDescription } from './context-description.js';
import { describe, listed, type ResourceDescription } from './describe.js';
import { jsonDescription, jsonIndex, xmlDescription, xmlIndex } from './spell.js';
import { valueTypeDescription } from './value-types.js';

/** Browsers show the XML as a page, and would ask for an icon that there is none of. */
const withoutIcon = ['content-security-policy', "img-src 'none'"] as const;

@Controller('api/v1')
export class MetadataController {
  constructor(
    @Inject(MODEL) private readonly model: Model,
    private readonly base: BaseAddress,
    served: ServedNames,
  ) {
    served.register(/^\/api\/v1\/([^/]+)\/meta$/i, (name) => this.describedBeside(name, '') !== undefined);
  }

  @Get('Index/meta')
  @Header(...withoutIcon)
  index(@Req() request: ApiRequest): Item {
    const base = this.base.of(request);
    const indexUri = `${base}/api/v1/Index/meta`;
    const entries = this.described(base).map(({ Name, Uri, Description }) => ({ Name, Uri, Description }));
    return new Item((request.format!.name === 'json' ? jsonIndex : xmlIndex)(indexUri, entries));
  }

  /** Every description at once. */
  @Get('meta')
  @Header(...withoutIcon)
  all(@Req() request: ApiRequest): Item {
    const described = this.described(this.base.of(request));
    if (request.format!.name === 'json') return new Item(JSON.stringify({ Items: described.map(jsonDescription) }));
    return this.index(request);
  }

  private described(base: string): ResourceDescription[] {
    const resources = listed(this.model).map((resource) => describe(resource, base));
    return [...resources, contextDescription(base)].sort((one, other) => (one.Name < other.Name ? -1 : 1));
  }

  @Get(':collection/meta')
  @Header(...withoutIcon)
  one(@Param('collection') collection: string, @Req() request: ApiRequest): Item {
    const described = this.describedOf(collection, this.base.of(request));
    if (request.format!.name === 'json') return new Item(JSON.stringify(jsonDescription(described)));
    return new Item(xmlDescription(described));
  }

  private describedOf(collection: string, base: string): ResourceDescription {
    const resource = this.model.collection(collection);
    const described = resource ? describe(resource, base) : this.describedBeside(collection, base);
    if (!described) throw unknownCollection(collection);
    return described;
  }

  /** What is no resource: parts of the context, types of values. */
  private describedBeside(name: string, base: string): ResourceDescription | undefined {
    return partDescription(name, base) ?? valueTypeDescription(name, this.model, base);
  }
}
