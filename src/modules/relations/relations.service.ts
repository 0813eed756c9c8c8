/** Rules of relations: not of an entity with itself, and each only once. */
import { Injectable } from '@nestjs/common';
import { type Change, current, refuse, type Work } from '../../command/change.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class RelationsService extends ResourceService {
  override async beforeSave(changes: readonly Change[], { rows }: Work): Promise<void> {
    const seen = new Set<string>();
    for (const change of changes) {
      const ends = endsOf(change);
      if (ends[0] !== undefined && ends[0] === ends[1])
        throw refuse(change, 'Slave.Id', 'an entity has no relation to itself.');
      if (seen.has(ends.join(':'))) throw refuse(change, 'Slave.Id', 'Relation already exists.');
      seen.add(ends.join(':'));
    }
    const written = changes.filter(({ values }) => Object.keys(values).length > 0);
    if (written.length === 0) return;
    const all = written.map(endsOf);
    const relations = await rows<{ id: number; master_id: number; slave_id: number; relation_type_id: number }>(
      `select id, master_id, slave_id, relation_type_id from relation where (master_id, slave_id, relation_type_id) in
         (select * from unnest($1::bigint[], $2::bigint[], $3::bigint[]))`,
      [0, 1, 2].map((at) => all.map((ends) => ends[at] ?? null)),
    );
    for (const change of written) {
      const key = endsOf(change).join(':');
      const same = relations.find((row) => [row.master_id, row.slave_id, row.relation_type_id].join(':') === key);
      if (same && same.id !== change.id) throw refuse(change, 'Slave.Id', 'Relation already exists.');
    }
  }
}

const endsOf = (change: Change): (number | undefined)[] =>
  ['master', 'slave', 'relationType'].map((property) => current(change, property));
