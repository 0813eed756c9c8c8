/**
 * The `Tags` text of an entity replaces its tags: unknown names become tags, set by set for all entities of a request.
 */
import { Injectable } from '@nestjs/common';
import type { Change, Row, Work } from '../../command/change.js';
import type { Command } from '../../command/command.js';
import { onlyRead } from '../../command/give-way.js';
import { NoRules } from '../../command/no-rules.js';
import { refuseManyTags, tagsTwice } from '../../command/parse-tags.js';
import { showsNothing } from '../../texts/characters.js';
import { turnIfDue } from '../../turns/slices.js';

@Injectable()
export class TagRules extends NoRules {
  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    await forgetSame(changes, work.rows);
    const twice = changes.filter(({ command }) => command.tags && tagObjects(command).length > 0);
    if (twice.length > 0) await forgetObjects(twice, work);
  }

  override async afterSave(changes: readonly Change[], { send }: Work): Promise<void> {
    const tagged = changes.filter(({ command }) => command.tags !== undefined);
    if (tagged.length === 0) return;
    const pairs = tagged.flatMap(({ id, command }) => command.tags!.map((name) => ({ id: id!, name })));
    await turnIfDue();
    // Everybody makes tags in one order, so that two requests with the same new names do not wait for each other. Of
    // several spellings the first one counts.
    const byKey = new Map(pairs.map(({ name }) => [name.toLowerCase(), name] as const).reverse());
    const names = [...byKey.keys()].sort().map((key) => byKey.get(key)!);
    await turnIfDue();
    if (names.length > 0) send(create, [names]);
    const old = tagged.filter(({ isNew }) => !isNew).map(({ id }) => id!);
    const of = [pairs.map(({ id }) => id), pairs.map(({ name }) => name)];
    if (old.length > 0) send(takeAway, [...of, old]);
    await turnIfDue();
    if (pairs.length > 0) send(add, of);
  }
}

/**
 * The same tags once more, in whatever order and letter case, change nothing. Names that show nothing are left out,
 * unless the entity has such a tag.
 */
async function forgetSame(changes: readonly Change[], rows: Work['rows']): Promise<void> {
  const tagged = changes.filter(({ command }) => command.tags !== undefined);
  const old = tagged.filter(({ isNew }) => !isNew).map(({ id }) => id);
  const stored = old.length > 0 ? await rows<{ id: number; names: string[] }>(present, [old]) : [];
  const byId = new Map(stored.map(({ id, names }) => [id, names]));
  for (const { id, command, isNew } of tagged) {
    const names = isNew ? [] : (byId.get(id!) ?? []);
    command.tags = command.tags!.filter((name) => !showsNothing(name) || names.includes(name));
    refuseManyTags(command, names);
    if (!isNew && keyOf(command.tags) === keyOf(names)) command.tags = undefined;
  }
}

const keyOf = (names: readonly string[]): string =>
  names
    .map((name) => name.toLowerCase())
    .sort()
    .join('\0');

const tagObjects = ({ collections }: Command): Command[] =>
  collections.find(({ field }) => field.spelledBy !== undefined)?.items ?? [];

/** Objects that were only read give way to tags that change; others are refused. */
async function forgetObjects(changes: readonly Change[], work: Work): Promise<void> {
  const ids = changes.flatMap(({ id }) => id ?? []);
  const rows = ids.length > 0 ? await work.rows<Tagging>(taggings, [ids]) : [];
  for (const { id, command } of changes) {
    const own = new Map(rows.filter(({ general }) => general === id).map((row) => [row.id, row]));
    const items = tagObjects(command);
    const read = await onlyRead(
      items.map((item) => ({ command: item, before: own.get(item.id!) })),
      work,
    );
    if (read.size < items.length) throw tagsTwice(command.path);
    items.length = 0;
  }
}

interface Tagging extends Row {
  general: number;
  id: number;
}

const taggings = `select l.general_id as general, t.* from general_tag l join tag t on t.id = l.tag_id
  where l.general_id = any($1::bigint[])`;

const present = `select l.general_id as id, array_agg(t.name) as names from general_tag l join tag t on t.id = l.tag_id
  where l.general_id = any($1::bigint[]) group by 1`;

const create = `insert into tag (name) select name from unnest($1::text[]) with ordinality as u(name, n) order by n on conflict do nothing`;

const sent = 'unnest($1::bigint[], $2::text[]) as u(id, name)';
const ofName = 'tag t on lower(t.name) = lower(u.name collate "und-x-icu")';

const takeAway = `delete from general_tag where general_id = any($3::bigint[]) and (general_id, tag_id) not in
  (select u.id, t.id from ${sent} join ${ofName})`;

// A tag that was deleted since it was found fails as what a foreign key refuses: the request runs again and makes it.
const add = `insert into general_tag (general_id, tag_id)
  select u.id, coalesce(t.id, 0) from ${sent} left join ${ofName} on conflict do nothing`;
