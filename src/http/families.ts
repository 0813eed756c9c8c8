/** Which service has the rules of which kind: a write that touches several kinds asks each by its own rules. */
import { Injectable } from '@nestjs/common';
import type { Rules } from '../command/change.js';
import type { ResourceType } from '../model/model.js';

@Injectable()
export class Families {
  private readonly byName = new Map<string, Rules>();

  register(resource: ResourceType, rules: Rules): void {
    this.byName.set(resource.name, rules);
  }

  of(resource: ResourceType): Rules {
    const family = this.byName.get(resource.name) ?? (resource.base && this.of(resource.base));
    if (!family) throw new Error(`no family has ${resource.name}`);
    return family;
  }
}
