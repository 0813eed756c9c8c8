/** Reads the stored files, one after the other, and compares their bytes with the checksums that their rows tell. */
import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { FileStore } from '../files/file-store.js';
import { listed } from '../files/recorded-files.js';
import { type Finding, forPeople } from './finding.js';

interface Summed {
  readonly id: string;
  readonly key: string;
  readonly owner: string;
  readonly sha256: string;
}

/** The bucket is away, or the disk: each further file would only cost its attempts. */
const mostFailures = 100;

// Without its table, the order would be that of the texts.
const page = `select id::text, unique_file_name as key, 'attachment ' || id as owner, sha256 from attachment
  where content is null and unique_file_name ~ '^[0-9a-f]{32}$' and sha256 is not null and id > $1::bigint
  order by attachment.id limit 1000`;

export async function checkChecksums(dataSource: DataSource, store: FileStore): Promise<Finding[]> {
  const changed: Summed[] = [];
  const unreadable: Summed[] = [];
  let failures = 0;
  for await (const file of files(dataSource)) {
    const sum = await sumOf(file, store).then(
      (read) => {
        failures = 0;
        return read;
      },
      () => {
        failures += 1;
        unreadable.push(file);
        return undefined;
      },
    );
    if (sum !== undefined && sum !== file.sha256) changed.push(file);
    if (failures === mostFailures) break;
  }
  const stopped = failures === mostFailures ? ', the last ones one after the other, so the rest was not read' : '';
  return [...findingOf(changed, 'have other bytes than came'), ...findingOf(unreadable, `cannot be read${stopped}`)];
}

async function* files(dataSource: DataSource): AsyncGenerator<Summed> {
  let after = '0';
  for (;;) {
    const rows: Summed[] = await dataSource.query(page, [after]);
    if (rows.length === 0) return;
    yield* rows;
    after = rows.at(-1)!.id;
  }
}

/** Undefined: it is not there, which is reported of all files, or it is deleted meanwhile. */
async function sumOf({ key }: Summed, store: FileStore): Promise<string | undefined> {
  const bytes = await store.read(key);
  if (!bytes) return undefined;
  const hash = createHash('sha256');
  for await (const chunk of bytes) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

const findingOf = (files: readonly Summed[], what: string): Finding[] =>
  files.length === 0 ? [] : [forPeople('files', `${files.length} files ${what}: ${listed(files)}.`)];
