/** Rules of requests: whether a new one is private, and who asks, if that is somebody new. */
import { byDefault, type Change, referenced, type Work } from '../../command/change.js';
import type { ResourceType } from '../../model/model.js';

/** A new request is as private as those of its type are. */
export async function privacyOfRequests(changes: readonly Change[], { rows }: Work): Promise<void> {
  const open = changes.filter(({ isNew, values }) => isNew && values.isPrivate === undefined && values.requestType);
  if (open.length === 0) return;
  const privateTypes = await rows<{ id: number }>(
    'select id from request_type where is_private_by_default and id = any($1::bigint[])',
    [[...new Set(open.map((change) => referenced(change, 'requestType')))]],
  );
  const types = new Set(privateTypes.map(({ id }) => id));
  for (const change of open) byDefault(change, 'isPrivate', types.has(referenced(change, 'requestType')!));
}

/** Any user may be among those who ask; somebody who is not there yet can only be a requester. */
export function newRequesters(changes: readonly Change[], requester: ResourceType): void {
  for (const { command } of changes) {
    for (const { field, items } of command.collections) {
      if (field.name !== 'Requesters') continue;
      for (const item of items) if (item.id === undefined) item.resource = requester;
    }
  }
}
