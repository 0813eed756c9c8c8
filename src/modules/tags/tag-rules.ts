/** The `Tags` text of an entity replaces its tags: unknown names become tags, set by set for all entities of a request. */
import { Injectable } from '@nestjs/common';
import type { Change, Work } from '../../command/change.js';
import { NoRules } from '../../command/no-rules.js';

@Injectable()
export class TagRules extends NoRules {
  /** The same tags once more, in whatever order and letter case, change nothing. */
  override async beforeSave(changes: readonly Change[], { rows }: Work): Promise<void> {
    const tagged = changes.filter(({ isNew, command }) => !isNew && command.tags !== undefined);
    if (tagged.length === 0) return;
    const known = await rows<{ id: number; names: string[] }>(present, [tagged.map(({ id }) => id)]);
    const byId = new Map(known.map(({ id, names }) => [id, names.join('\0').toLowerCase()]));
    for (const { id, command } of tagged) {
      const said = [...command.tags!].map((name) => name.toLowerCase()).sort();
      const stored = (byId.get(id!) ?? '').split('\0').sort();
      if (said.join('\0') === stored.join('\0')) command.tags = undefined;
    }
  }

  override async afterSave(changes: readonly Change[], { rows }: Work): Promise<void> {
    const tagged = changes.filter(({ command }) => command.tags !== undefined);
    if (tagged.length === 0) return;
    const pairs = tagged.flatMap(({ id, command }) => command.tags!.map((name) => ({ id: id!, name })));
    // Everybody makes tags in one order, so that two requests with the same new names do not wait for each other.
    const byKey = new Map(pairs.map(({ name }) => [name.toLowerCase(), name]));
    const names = [...byKey.keys()].sort().map((key) => byKey.get(key)!);
    if (names.length > 0) await rows(create, [names]);
    const old = tagged.filter(({ isNew }) => !isNew).map(({ id }) => id!);
    const of = [pairs.map(({ id }) => id), pairs.map(({ name }) => name)];
    if (old.length > 0) await rows(takeAway, [...of, old]);
    if (pairs.length > 0) await rows(add, of);
  }
}

const present = `select l.general_id as id, array_agg(t.name) as names from general_tag l join tag t on t.id = l.tag_id
  where l.general_id = any($1::int[]) group by 1`;

const create = `insert into tag (name) select name from unnest($1::text[]) with ordinality as u(name, n) order by n on conflict do nothing`;

const wanted = `select u.id, t.id as tag_id from unnest($1::int[], $2::text[]) as u(id, name)
  join tag t on lower(t.name) = lower(u.name collate "und-x-icu")`;

const takeAway = `delete from general_tag where general_id = any($3::int[]) and (general_id, tag_id) not in (${wanted})`;

const add = `insert into general_tag (general_id, tag_id) ${wanted} on conflict do nothing`;
