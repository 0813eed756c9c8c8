/** The files that rows tell of. */
import { avatarKeys } from './avatar-uri.js';

export interface RecordedFile {
  readonly key: string;
  /** Of the attachment, or of the user whose picture it is. */
  readonly owner: string;
  /** Null where the row does not tell. */
  readonly bytes: number | null;
}

export const recordedFiles = `select unique_file_name as key, 'attachment ' || id as owner, size::float8 as bytes from attachment
    where content is null and unique_file_name ~ '^[0-9a-f]{32}$'
  union all select key, 'picture of user ' || id, null from (${avatarKeys}) a where key is not null order by 1`;

/** A row where the database has any. */
export const anyRecordedFile = `select from (${recordedFiles}) f limit 1`;

/** Some of their keys. These are random, so the first in order are as good as any. */
export const someRecordedKeys = `select key from (${recordedFiles}) f limit 127`;

/** A statement of somebody's own may have left several rows that refer to one file. */
export function byKey(files: readonly RecordedFile[]): Map<string, RecordedFile[]> {
  const rows = new Map<string, RecordedFile[]>();
  for (const file of files) {
    const others = rows.get(file.key);
    if (others) others.push(file);
    else rows.set(file.key, [file]);
  }
  return rows;
}

const most = 100;

/** Some files, as a text for people. */
export function listed(files: readonly Pick<RecordedFile, 'key' | 'owner'>[]): string {
  const names = files.slice(0, most).map(({ key, owner }) => `${owner} (${key})`);
  const more = files.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
