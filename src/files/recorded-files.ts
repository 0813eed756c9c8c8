/** The files that rows tell of. */
import { avatarKeys } from './avatar-uri.js';

export interface RecordedFile {
  readonly key: string;
  /** Null where the row does not tell. */
  readonly bytes: number | null;
}

export const recordedFiles = `select unique_file_name as key, size::float8 as bytes from attachment
    where content is null and unique_file_name ~ '^[0-9a-f]{32}$'
  union all select key, null from (${avatarKeys}) a where key is not null order by 1`;
