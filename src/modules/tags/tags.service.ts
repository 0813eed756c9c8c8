/** Rules of tags: a name is made once. */
import { Injectable } from '@nestjs/common';
import { type Change, type Removal, refuse, type Work } from '../../command/change.js';
import { tagName } from '../../command/parse-tags.js';
import { onlyAdministrators } from '../../errors.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class TagsService extends ResourceService {
  override async beforeSave(changes: readonly Change[], { rows, actor }: Work): Promise<void> {
    const named = changes.filter(({ values }) => typeof values.name === 'string');
    // A tag is everybody's: what changes it changes entities that not everybody may see.
    if (!actor.isAdministrator && named.some(({ isNew }) => !isNew)) throw onlyAdministrators('rename tags');
    for (const change of named) {
      const name = tagName(String(change.values.name), `${change.command.path}Name`);
      if (name.includes(',')) throw refuse(change, 'Name', 'a tag has no comma in its name.');
      change.values.name = name;
    }
    await refuseExisting(named, rows);
  }

  override async beforeDelete(_removals: readonly Removal[], { actor }: Work): Promise<void> {
    if (!actor.isAdministrator) throw onlyAdministrators('delete tags');
  }
}

/** It fails if any of the names exists, as clients of this API expect; and if one request makes a name twice. */
async function refuseExisting(changes: readonly Change[], rows: Work['rows']): Promise<void> {
  if (changes.length === 0) return;
  const names = changes.map(({ values }) => String(values.name));
  const existing = await rows<{ id: number; name: string }>(
    `select id, lower(name) as name from tag where lower(name) = any(select lower(n collate "und-x-icu") from unnest($1::text[]) n)`,
    [names],
  );
  const seen = new Set<string>();
  changes.forEach((change, at) => {
    const name = names[at]!.toLowerCase();
    const other = existing.find((tag) => tag.name === name && tag.id !== change.id);
    if (seen.has(name)) throw refuse(change, 'Name', `the tag '${names[at]}' is sent twice.`);
    if (other) throw refuse(change, 'Name', `the tag '${names[at]}' exists already; add it by its Id.`);
    seen.add(name);
  });
}
