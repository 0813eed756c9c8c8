/** What the text of a request of version 2 asks for, worked out once. */
import { LRUCache } from 'lru-cache';
import { withoutCredentials } from '../../http/query-credential.js';
import { keptTexts, limits } from '../../query/limits.js';
import { parametersInPath, parseQueryV2, type QueryV2 } from '../../query/v2/query-v2.js';

/** Where the parameters came from. */
export interface Texts {
  /** Behind the question mark, as it came. */
  query: string;
  /** The body of a form. */
  form?: string;
  /** The condition in the path, and what follows it there, as it came. */
  inPath?: string;
}

export class AskedTexts {
  private readonly kept = new LRUCache<string, QueryV2>(keptTexts(64));

  /** Errors: 400. */
  by({ query, form, inPath }: Texts): QueryV2 {
    const raw = withoutCredentials([inPath && parametersInPath(inPath), query, form].filter(Boolean).join('&'));
    const cached = this.kept.get(raw);
    if (cached) return cached;
    const parsed = parseQueryV2(raw, form === undefined ? limits.queryBytes : limits.formBytes);
    this.kept.set(raw, parsed);
    return parsed;
  }
}
