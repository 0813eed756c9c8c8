/** Files as clients send them, and the ledger of what is stored: rows on one side, bytes on the other. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Answer, Ask, TestApp } from './app.js';
import { type Ids, make } from './builder.js';

export interface Sent {
  readonly name: string;
  readonly bytes: string | Buffer;
  readonly type?: string;
}

export function formOf(fields: Readonly<Record<string, string | number>>, files: readonly Sent[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  for (const { name, bytes, type = 'application/octet-stream' } of files)
    form.append('file', new Blob([bytes], { type }), name);
  return form;
}

export const upload = (
  app: TestApp,
  general: number,
  files: readonly Sent[],
  { path = '/UploadFile.ashx?format=json', ...ask }: Ask & { path?: string } = {},
): Promise<Answer> => app.ask(path, { method: 'POST', body: formOf({ generalId: general }, files), ...ask });

/** The id of the one file that is sent. */
export async function uploaded(app: TestApp, general: number, file: Sent, ask: Ask = {}): Promise<number> {
  const answer = await upload(app, general, [file], ask);
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return answer.json.items[0].id;
}

/** What lies on the disk, partial writes included, by name. */
export async function storedFiles(app: TestApp): Promise<Map<string, number>> {
  const root = join(app.dataDir, 'files');
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }) => [name, (await stat(join(parentPath, name))).size] as const),
    ),
  );
}

/** Each row has its bytes, and all bytes have their row. */
export async function expectBalance(app: TestApp): Promise<void> {
  const rows = await app.rows(
    `select unique_file_name as name, size::int as size from attachment where content is null and unique_file_name is not null order by 1`,
  );
  const files = [...(await storedFiles(app))].map(([name, size]) => ({ name, size }));
  expect(files.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(rows);
}

export interface FilesPlace {
  /** A story of a project that the member sees, and one that he does not. */
  readonly ids: Ids;
  readonly elsewhere: Ids;
}

/** A member of one of two projects, each of which has a story. */
export async function makeFilesPlace(app: TestApp, mark: string, login: string): Promise<FilesPlace> {
  const ids: Ids = { Process: 3, Role: 1 };
  const elsewhere: Ids = { Process: 3, Role: 1 };
  const place = { mark, ids };
  for (const kind of ['Project', 'UserStory']) ids[kind] = await make(app, kind, place);
  ids.User = await make(app, 'User', place, { Login: login });
  await make(app, 'ProjectMember', place);
  for (const kind of ['Project', 'UserStory'])
    elsewhere[kind] = await make(app, kind, { mark: 'apart', ids: elsewhere });
  return { ids, elsewhere };
}

/** The smallest picture there is. */
export const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
