/** Entity tags: the version of the row, and a digest of what was answered and of its type. */
import { createHash } from 'node:crypto';
import { type Text, viewsOf } from '../bytes/text-bytes.js';
import type { Circumstances, Locked } from '../command/circumstances.js';
import { badRequest, preconditionFailed } from '../errors.js';
import type { ApiRequest } from './request.js';

/** `"17-x2Bv…"`: the same entity in another format or with other fields has another tag and the same version. */
export function entityTag(version: string, text: Text, type: string): string {
  const digest = createHash('sha1').update(type);
  for (const view of viewsOf(text)) digest.update(view);
  return `"${version}-${digest.digest('base64url').slice(0, 16)}"`;
}

/** Whether the client has this very answer already. */
export function isFresh(request: ApiRequest, tag: string): boolean {
  const header = request.headers['if-none-match'];
  if (header === undefined) return false;
  return header.trim() === '*' || tagsOf(header).includes(tag);
}

/** `If-Match` on what never changes below its tag. Weak tags stand for nothing here. Errors: 412. */
export function checkTag({ headers }: ApiRequest, tag: string): void {
  const header = headers['if-match'];
  if (header === undefined || header.trim() === '*') return;
  const tags: string[] = header.match(/(?:W\/)?"[^"]*"/g) ?? [];
  if (!tags.includes(tag))
    throw preconditionFailed('There is another file by now. Ask for all of it, without If-Match.');
}

/**
 * On a write. `If-Match`: the entity must still be of the version that the tag was given for. `If-None-Match`: it must
 * not be, by `*` of none at all.
 */
export function checkVersions(request: ApiRequest): Pick<Circumstances, 'checkVersion'> {
  const { checkVersion: check } = checkMatch(request);
  const checkOther = checkNoMatch(request);
  if (!check || !checkOther) return { ...((check ?? checkOther) && { checkVersion: check ?? checkOther }) };
  return {
    checkVersion: (locked) => {
      check(locked);
      checkOther(locked);
    },
  };
}

function checkNoMatch({ headers }: ApiRequest): Circumstances['checkVersion'] {
  const header = headers['if-none-match'];
  if (header === undefined) return undefined;
  const versions = versionsIn(header);
  return (locked) => {
    if (locked && (header.trim() === '*' || versions.includes(versionOf(locked))))
      throw preconditionFailed('If-None-Match: the entity is there. Leave the header out to change it.');
  };
}

function checkMatch(request: ApiRequest): Pick<Circumstances, 'checkVersion'> {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return {};
  const versions = versionsIn(header);
  if (versions.length === 0)
    throw badRequest('If-Match: an entity tag such as "17-Zm9v", as ETag gives it, is needed.', 'InvalidParameter');
  return {
    checkVersion: (locked) => {
      if (!locked) throw preconditionFailed('If-Match: what is being created has no version. Leave the header out.');
      if (!versions.includes(versionOf(locked))) {
        throw preconditionFailed('The entity has been changed since it was read. Read it again and repeat the change.');
      }
    },
  };
}

const versionOf = ({ row }: Locked): string => String(row.row_version);

const versionsIn = (header: string): string[] => tagsOf(header).map((tag) => tag.slice(1, -1).split('-', 1)[0]!);

const tagsOf = (header: string): string[] => header.match(/"[^"]*"/g) ?? [];
