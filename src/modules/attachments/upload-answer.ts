/** The answer of `/UploadFile.ashx`, as clients of it read it: `{"items": [...]}` with names in camel case. */

import { textOf } from '../../bytes/text-bytes.js';
import { type Batch, Item } from '../../http/answer.js';
import { camelCase } from '../../model/camel-case.js';
import { parseParameters } from '../../query/parameters.js';
import { parseQuery } from '../../query/v1/parse.js';

// One object, since statements are kept with the query they were made from.
export const recordedQuery = parseQuery(
  parseParameters(
    'include=[Id,Name,UniqueFileName,Description,Date,Uri,ThumbnailUri,MimeType,Size,Owner,General,Message]',
  ),
);

type Members = Readonly<Record<string, unknown>>;

export function spellUpload(answer: Item | Batch): string {
  const texts = answer instanceof Item ? [textOf(answer.text)] : answer.items;
  const items = texts.map((text) => JSON.parse(text) as Members);
  // A brief answer tells kind and id alone.
  return JSON.stringify({ items: items.map(answer.isBrief ? inCamelCase : withRecordedNames) });
}

function withRecordedNames(item: Members): Members {
  const { MimeType, Size, General } = item;
  return {
    ...(inCamelCase(item) as Members),
    persistedMimeType: MimeType,
    persistedSize: Size,
    isEmpty: Number(Size) === 0,
    assignable: { ...(inCamelCase(General) as Members), resourceType: 'Assignable' },
  };
}

function inCamelCase(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    camelCase(name),
    inCamelCase(member),
  ]);
  return Object.fromEntries(members);
}
