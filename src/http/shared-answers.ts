/**
 * Reads what several writes that share a transaction are answered with: in one statement for all that are asked for
 * alike.
 */
import { notFound } from '../errors.js';
import type { ResourceType } from '../model/model.js';
import type { Item } from './answer.js';
import { type Ask, isAlike, type Reads } from './reads.js';

interface Wanted {
  readonly id: number;
  readonly ask: Ask;
  readonly resolve: (item: Item) => void;
  readonly reject: (reason: unknown) => void;
}

export class SharedAnswers {
  private wanted: Wanted[] = [];

  constructor(
    private readonly reads: Pick<Reads, 'one' | 'byId'>,
    private readonly resource: ResourceType,
  ) {}

  /** With all that are asked for in the same moment. Errors: 404. */
  one(id: number, ask: Ask): Promise<Item> {
    return new Promise((resolve, reject) => {
      if (this.wanted.push({ id, ask, resolve, reject }) === 1) queueMicrotask(() => this.readAll());
    });
  }

  private readAll(): void {
    const groups: Wanted[][] = [];
    for (const one of this.wanted.splice(0)) {
      const group = groups.find(([first]) => isAlike(first!.ask, one.ask));
      if (group) group.push(one);
      else groups.push([one]);
    }
    for (const group of groups) void this.readAlike(group);
  }

  private async readAlike(group: readonly Wanted[]): Promise<void> {
    const [{ id, ask, resolve, reject }, ...others] = group as [Wanted, ...Wanted[]];
    if (others.length === 0) {
      this.reads.one(this.resource, id, ask).then(resolve, reject);
      return;
    }
    try {
      const ids = group.map((one) => one.id);
      const items = await this.reads.byId(this.resource, ids, ask);
      for (const one of group) {
        const item = items.get(one.id);
        if (item) one.resolve(item);
        else one.reject(notFound(this.resource.name, one.id));
      }
    } catch (error) {
      for (const one of group) one.reject(error);
    }
  }
}
