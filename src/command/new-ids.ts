/**
 * Ids of rows that are to be made, taken together and ahead of them: what refers to a new row, and what reads it, need
 * not wait until it is stored.
 */
import type { ResourceType } from '../model/model.js';
import type { Command } from './command.js';
import { everyCommand } from './traverse.js';

type Rows = <R>(text: string, values: readonly unknown[]) => Promise<R[]>;

const next = `select n.place, nextval(n.sequence) as id
  from unnest($1::text[], $2::int[]) with ordinality as n(sequence, count, place), generate_series(1, n.count) order by 1, 2`;

/** Identity columns take their numbers from a sequence that PostgreSQL names after them. */
export const sequenceOf = ({ table }: ResourceType): string => `${table}_id_seq`;

export class NewIds {
  private readonly idsBySequence = new Map<string, number[]>();

  constructor(private readonly rows: Rows) {}

  /** Ids for all that the commands may create. */
  reserveFor(commands: readonly Command[]): Promise<void> {
    const counts = new Map<string, number>();
    for (const { id, resource } of everyCommand(commands)) {
      // What cannot be created has no sequence, and is refused where it is applied.
      if (id !== undefined || !resource.settings.operations.create) continue;
      const sequence = sequenceOf(resource);
      counts.set(sequence, (counts.get(sequence) ?? 0) + 1);
    }
    return this.reserve(counts);
  }

  /** Undefined: fewer are at hand. */
  takeAtHand(resource: ResourceType, count: number): number[] | undefined {
    const ids = this.idsBySequence.get(sequenceOf(resource)) ?? [];
    return ids.length < count ? undefined : ids.splice(0, count);
  }

  async take(resource: ResourceType, count: number): Promise<number[]> {
    if (count > this.atHand(resource))
      await this.reserve(new Map([[sequenceOf(resource), count - this.atHand(resource)]]));
    return this.takeAtHand(resource, count)!;
  }

  private atHand(resource: ResourceType): number {
    return this.idsBySequence.get(sequenceOf(resource))?.length ?? 0;
  }

  private async reserve(counts: ReadonlyMap<string, number>): Promise<void> {
    if (counts.size === 0) return;
    const sequences = [...counts.keys()];
    const rows = await this.rows<{ place: string; id: number }>(next, [sequences, [...counts.values()]]);
    for (const { place, id } of rows) {
      const sequence = sequences[Number(place) - 1]!;
      const ids = this.idsBySequence.get(sequence);
      if (ids) ids.push(id);
      else this.idsBySequence.set(sequence, [id]);
    }
  }
}
