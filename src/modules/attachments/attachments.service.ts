/**
 * Rules of attachments: what a new one is made of, and what becomes of its bytes. Whose a file is, and which mail
 * brought it, administrators alone may change.
 */
import { Inject, Injectable } from '@nestjs/common';
import { byDefault, type Change, type Removal, refuse, type Work } from '../../command/change.js';
import { onlyAdministrators } from '../../errors.js';
import { BoundedStore } from '../../files/bounded-store.js';
import { shownName } from '../../files/file-name.js';
import { FileRemovals } from '../../files/file-removals.js';
import { isKey } from '../../files/file-store.js';
import { ResourceService } from '../../http/resource.service.js';

@Injectable()
export class AttachmentsService extends ResourceService {
  @Inject(FileRemovals) private readonly removals!: FileRemovals;
  @Inject(BoundedStore) private readonly bounded!: BoundedStore;

  override async beforeSave(changes: readonly Change[], work: Work): Promise<void> {
    for (const change of changes) {
      if (change.isNew) begin(change);
      else refuseOtherBytes(change);
      cleanName(change);
    }
    const sizes = changes.filter(({ isNew }) => isNew).map(({ values }) => Number(values.size));
    if (sizes.length > 0)
      await this.bounded.mustFit(
        sizes.reduce((sum, size) => sum + size, 0),
        work,
      );
    if (work.actor.isAdministrator) return;
    if (changes.some(({ isNew, values }) => !isNew && ('owner' in values || 'message' in values)))
      throw onlyAdministrators('change the Owner or the Message of an attachment');
  }

  override async beforeDelete(removals: readonly Removal[], work: Work): Promise<void> {
    const rows = await work.rows<{ key: string | null }>(keysOf, [removals.map(({ id }) => id)]);
    const keys = rows.map(({ key }) => key).filter(isKey);
    work.afterCommit(() => this.removals.remove(keys));
  }
}

function begin(change: Change): void {
  const { values, now, actor } = change;
  byDefault(change, 'date', now);
  if (actor.isAdministrator) byDefault(change, 'owner', { id: actor.userId });
  else {
    if (values.owner != null && (values.owner as { id?: unknown }).id !== actor.userId)
      throw onlyAdministrators('name another Owner of an attachment');
    values.owner = { id: actor.userId };
  }
  if (!actor.isAdministrator && values.message) throw onlyAdministrators('attach files to a Message');
  // The bytes are stored ahead of the transaction, however they came.
  if (values.uniqueFileName === undefined)
    throw refuse(
      change,
      'Content',
      'the bytes of the file in base64 are needed; or send multipart/form-data to /api/v1/Attachments.',
    );
}

const keysOf = 'select unique_file_name as key from attachment where id = any($1::bigint[]) and content is null';

/**
 * However it is written, a name is no path and nothing that acts on a terminal. Without any, it is refused with all
 * else that is missing.
 */
function cleanName(change: Change): void {
  const { name } = change.values;
  if (typeof name !== 'string' || name.trim() === '') return;
  const shown = shownName(name);
  if (shown === undefined) throw refuse(change, 'Name', 'a value is required.');
  change.values.name = shown;
}

function refuseOtherBytes(change: Change): void {
  if (change.values.base64 == null) delete change.values.base64;
  else throw refuse(change, 'Content', 'the bytes of a file do not change; send a new file.');
}
